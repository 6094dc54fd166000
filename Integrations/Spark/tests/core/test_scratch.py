"""Folders for temporary files."""

import os
import subprocess
import sys
import threading
import unittest
from pathlib import Path

from support import PACKAGE, FolderTest

from sheaf_spark.failures import TransientError
from sheaf_spark.scratch import Scratch, sweep


class ScratchTests(FolderTest):
    def test_a_folder_exists_inside_the_statement(self) -> None:
        with Scratch([self.path("s")]) as scratch:
            (scratch.path / "file").write_text("x")
            self.assertEqual(scratch.path.parent, self.folder / "s")
        self.assertEqual(self.names("s"), [])

    def test_folders_in_use_are_not_swept(self) -> None:
        # Many threads create and sweep at the same time.
        lost: list[Path] = []

        def work() -> None:
            for _ in range(100):
                with Scratch([self.path("s")]) as scratch:
                    sweep(self.path("s"))
                    if not scratch.path.exists():
                        lost.append(scratch.path)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((lost, self.names("s")), ([], []))

    def test_folders_of_killed_processes_are_swept(self) -> None:
        code = (
            "import os, sys; sys.path.insert(0, sys.argv[1]); from sheaf_spark.scratch import Scratch\n"
            "with Scratch([sys.argv[2]]): os.kill(os.getpid(), 9)"
        )
        # One executor's folder, and that of another one of the same application.
        killed, other = self.path("executor-1/blockmgr-1"), self.path("executor-2/blockmgr-2")
        subprocess.run([sys.executable, "-c", code, str(PACKAGE / "src"), killed])
        self.assertEqual(len(os.listdir(killed)), 1)
        with Scratch([other]):
            self.assertEqual(os.listdir(killed), [])

    def test_the_next_folder_is_used_if_one_can_not_be(self) -> None:
        wrong = self.write("file")
        with Scratch([wrong, self.path("s")]) as scratch:
            self.assertEqual(scratch.path.parent, self.folder / "s")
        with self.assertRaisesRegex(TransientError, r"no folder for temporary files: .*/file: .*spark\.local\.dir"):
            with Scratch([wrong]):
                pass


if __name__ == "__main__":
    unittest.main()
