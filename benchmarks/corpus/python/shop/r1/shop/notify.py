import asyncio
import socket

from .errors import ShopError


class Mailer:
    def __init__(self, host, port):
        self.host = host
        self.port = port

    def connect(self):
        return socket.create_connection((self.host, self.port), timeout=1)

    async def send(self, message):
        await asyncio.sleep(0)
        return message["to"].strip()

    async def send_all(self, messages):
        return await asyncio.gather(*[self.send(message) for message in messages])


def wait_for_answer():
    left, right = socket.socketpair()
    with left, right:
        left.settimeout(0.01)
        return left.recv(1)


def lookup(host):
    return socket.getaddrinfo(host, 80, flags=socket.AI_NUMERICHOST)


async def slow():
    await asyncio.sleep(5)


async def with_deadline():
    return await asyncio.wait_for(slow(), 0.01)


async def numbers(count):
    for number in range(count):
        await asyncio.sleep(0)
        yield 100 // (2 - number)


async def sum_up(count):
    return [number async for number in numbers(count)]


async def nested():
    return asyncio.run(slow())


async def cancelled():
    task = asyncio.ensure_future(slow())
    await asyncio.sleep(0)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError as error:
        raise ShopError("the mail task was cancelled") from error


async def parse_answer(text):
    await asyncio.sleep(0)
    return int(text)


async def answers(texts):
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(parse_answer(text)) for text in texts]
    return [task.result() for task in tasks]


def check_all(messages):
    problems = []
    for message in messages:
        try:
            message["subject"].strip()
        except (KeyError, AttributeError) as error:
            problems.append(error)
    if problems:
        raise ExceptionGroup("some mails are not valid", problems)
