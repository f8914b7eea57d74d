import os
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from courier import commands

commands.load()


def handle(action, params):
    return commands.execute(action, params)


def handle_in_thread(action, params):
    worker = threading.Thread(target=commands.execute, args=(action, params), daemon=True)
    worker.start()
    worker.join()
