"""Children and the threads that wait for them."""

import os
import subprocess
import sys
import threading
import unittest

from support import wait_for_end

from sheaf_spark import process
from sheaf_spark.executor import LocalExecutor
from sheaf_spark.failures import PermanentError, TransientError

WAITER = [sys.executable, "-S", "-c", "import signal; signal.pause()"]


@unittest.skipUnless(sys.platform.startswith("linux"), "only Linux has a signal for the parent's death")
class ParentDeathTests(unittest.TestCase):
    def test_a_child_ends_with_the_thread_that_started_it_not_with_the_process(self) -> None:
        children: list[subprocess.Popen[bytes]] = []
        thread = threading.Thread(target=lambda: children.append(process.start(WAITER)))
        thread.start()
        thread.join()
        self.assertEqual(children[0].wait(30), -9)
        assert children[0].stderr is not None
        children[0].stderr.close()

    def test_children_of_a_pool_live_as_long_as_their_tasks(self) -> None:
        # More tasks than threads, so that a thread starts several children.
        statuses = LocalExecutor(2).map(lambda number: process.run(["sh", "-c", f"exit {number}"]).status, range(9))
        self.assertEqual(statuses, list(range(9)))

    def test_a_child_ends_with_its_process(self) -> None:
        code = (
            "import sys; sys.path.insert(0, sys.argv[1]); from sheaf_spark import process\n"
            "child = process.start(sys.argv[2:]); print(child.pid, flush=True); child.wait()"
        )
        parent = subprocess.Popen([sys.executable, "-c", code, sys.path[0], *WAITER], stdout=subprocess.PIPE)
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
        parent.wait()
        parent.stdout.close()
        self.assertTrue(wait_for_end(child))

    def test_a_parent_that_died_before_the_signal_was_set_is_noticed(self) -> None:
        # The check that runs in the child, with a parent that isn't its parent any more.
        child = subprocess.Popen(["true"], preexec_fn=process.ends_with(os.getppid()))
        self.assertEqual(child.wait(30), 128 + 9)


class RunTests(unittest.TestCase):
    def test_a_child_that_stops_reading_reports_its_own_status(self) -> None:
        completed = process.run(
            ["sh", "-c", "echo 'sheaf: enough' >&2; exit 64"], feed=lambda pipe: feed(pipe, 1 << 22)
        )
        self.assertEqual((completed.status, completed.messages), (64, "sheaf: enough\n"))

    def test_long_messages_do_not_block_and_only_their_end_is_kept(self) -> None:
        script = "head -c 300000 /dev/zero | tr '\\0' x >&2; echo end >&2"
        completed = process.run(["sh", "-c", script])
        self.assertEqual(completed.status, 0)
        self.assertTrue(completed.messages.endswith("xend\n"))
        self.assertLess(len(completed.messages), 100_000)

    def test_an_exception_of_the_feeder_ends_the_child(self) -> None:
        def fail(pipe: object) -> None:
            raise ValueError("no more")

        with self.assertRaises(ValueError):
            process.run(WAITER, feed=fail)


class LocalExecutorTests(unittest.TestCase):
    def test_a_permanent_error_ends_the_other_children(self) -> None:
        reader, writer = os.pipe()

        def task(number: int) -> int:
            if number == 0:
                os.read(reader, 1)
                raise PermanentError("no", 64)
            code = f"import os, signal; os.write({writer}, b'x'); signal.pause()"
            child = process.subprocess.Popen
            process.subprocess.Popen = lambda *a, **k: child(*a, **{**k, "pass_fds": (writer,)})  # type: ignore
            try:
                raise TransientError(str(process.run([sys.executable, "-c", code]).status))
            finally:
                process.subprocess.Popen = child  # type: ignore

        with self.assertRaises(PermanentError):
            LocalExecutor(2).map(task, [0, 1])
        os.close(reader)
        os.close(writer)

    def test_errors_are_retried_and_permanent_ones_are_not(self) -> None:
        for error, attempts in [(ValueError("x"), 3), (TransientError("x"), 3), (PermanentError("x"), 1)]:
            calls: list[int] = []

            def task(number: int, calls: list[int] = calls, error: Exception = error) -> None:
                calls.append(number)
                raise error

            with self.subTest(error=error), self.assertRaises(type(error)):
                LocalExecutor(1, attempts=3).map(task, [1])
            self.assertEqual(len(calls), attempts)


def feed(pipe: "process.IO[bytes]", count: int) -> None:
    pipe.write(bytes(count))


if __name__ == "__main__":
    unittest.main()
