import os
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "src"))

from clinic.service import Service

service = Service()


def handle(action, params):
    return service.run(action, **params)


def handle_in_thread(action, params):
    thread = threading.Thread(target=service.run, args=(action,), kwargs=params)
    thread.start()
    thread.join()
