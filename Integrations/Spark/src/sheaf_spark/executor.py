"""Where tasks run: an interface of one method, and the threads of this machine as one implementation."""

from __future__ import annotations

import os
import threading
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Callable, Optional, Protocol, Sequence, TypeVar, cast

from . import process
from .failures import PermanentError
from .resources import Resources

Item = TypeVar("Item")
Result = TypeVar("Result")


class Executor(Protocol):
    """Calls a function for each item, on any machine and in any order.

    The function, the items and the results can be pickled, and are small: files carry the data. A function may be
    called several times for one item, even at the same time; all calls have the same effect.
    """

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """Returns the results in the order of the items.

        Raises `PermanentError` as soon as possible when a call does, without another attempt. After any other exception
        the call is repeated as often as the implementation allows; the last one is raised as `JobError` or as it is.
        """
        ...

    def resources(self) -> Resources:
        """Returns what each task may use, as far as it is known."""
        ...


class LocalExecutor:
    """Runs tasks in threads of this process. Each waits for one `sheaf` process, so that threads are enough."""

    def __init__(self, workers: Optional[int] = None, attempts: int = 3) -> None:
        """`workers` is the number of tasks at a time (the number of processors), `attempts` that for each task."""
        self.workers = max(1, workers if workers is not None else _processors())
        self.attempts = max(1, attempts)

    def resources(self) -> Resources:
        return Resources(
            self.workers, threads=max(1, _processors() // self.workers), memory=share_of_memory(self.workers)
        )

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        threads: set[int] = set()
        stopped = threading.Event()

        def attempt(item: Item) -> Optional[Result]:
            """Returns None if the job has ended, which the caller of `map` never sees."""
            threads.add(threading.get_ident())
            failures = 0
            while not stopped.is_set():
                try:
                    return function(item)
                except Exception as error:
                    failures += 1
                    if isinstance(error, PermanentError) or failures == self.attempts:
                        # Before the thread takes its next item.
                        stopped.set()
                        raise
            return None

        # The pool's threads live until it is shut down, after the last child has ended: see `process`.
        pool = ThreadPoolExecutor(self.workers, "sheaf-task")
        futures: list[Future[Optional[Result]]] = []
        try:
            futures += [pool.submit(attempt, item) for item in items]
            _wait_for_first_failure(futures)
            return [cast(Result, future.result()) for future in futures]
        except BaseException:
            stopped.set()
            for future in futures:
                future.cancel()
            process.kill_children(list(threads))
            raise
        finally:
            pool.shutdown(wait=True)


def _wait_for_first_failure(futures: Sequence[Future[Result]]) -> None:
    """Returns when all are done. Raises the exception of the first that fails, while others may still run."""
    pending = set(futures)
    while pending:
        done, pending = wait(pending, return_when=FIRST_COMPLETED)
        for future in done:
            future.result()


def _processors() -> int:
    """The number of processors that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def share_of_memory(tasks: int) -> Optional[int]:
    """A half of this machine's memory, divided among the tasks; None if it is unknown.

    The command's own default is half of the machine, or of its control group, for each process.
    """
    if tasks == 1:
        return None
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None
    for limit in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            with open(limit, encoding="ascii") as file:
                total = min(total, int(file.read()))
        except (OSError, ValueError):
            continue
    return total // 2 // tasks
