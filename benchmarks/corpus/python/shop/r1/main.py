"""The web shop: routes an action to its view."""
import asyncio
import threading

from shop import views

failures = []


def handle(action, params):
    view = getattr(views, action)
    if asyncio.iscoroutinefunction(view):
        return asyncio.run(view(params))
    return view(params)


def handle_in_thread(action, params):
    worker = threading.Thread(target=handle, args=(action, params), name="worker")
    worker.start()
    worker.join()
