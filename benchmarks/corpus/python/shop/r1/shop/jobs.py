import concurrent.futures
import queue
import subprocess
import sys
import threading

from . import catalog


def load(name):
    return catalog.find(name).gross


def in_pool(names):
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        return list(pool.map(load, names))


def wait_in_pool():
    pool = concurrent.futures.ThreadPoolExecutor(max_workers=1)
    gate = threading.Event()
    future = pool.submit(gate.wait)
    try:
        return future.result(timeout=0.01)
    finally:
        gate.set()


def next_job(jobs):
    return jobs.get_nowait()


def release(lock):
    lock.release()


def run_tool(code):
    return subprocess.run([sys.executable, "-c", f"raise SystemExit({code})"], check=True)


def start_tool(name):
    return subprocess.run([name], check=True)


class Job:
    def __init__(self, handler):
        self.handler = handler

    def run(self, payload):
        return self.handler(payload)


HANDLERS = {
    "mail": lambda payload: payload["to"],
    "bill": lambda payload: payload["sum"],
}


def nightly(rows):
    totals = {}
    for row in rows:
        totals[row["day"]] = totals.get(row["day"], 0) + row["sum"]
    return totals
