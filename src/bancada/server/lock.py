"""One server per data folder: an exclusive lock, held for as long as the process lives."""

from __future__ import annotations

import fcntl
import os
from typing import IO

from bancada.domain.errors import SettingsError
from bancada.settings import Settings


class FolderLock:
    """The kernel lets go of it when the process dies, however it dies."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.data
        self._file: IO[str] | None = None

    def take(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            file = (self._folder / "serve.lock").open("a+")
        except OSError as error:
            raise SettingsError(
                f"The data folder {self._folder} cannot be written to ({error.strerror}). "
                "Choose another with --data or BANCADA_DATA."
            ) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            who = file.read().strip() or "another process"
            file.close()
            raise SettingsError(
                f"Another `bancada serve` (process {who}) uses {self._folder}. "
                "Stop it, or choose another folder with --data."
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        self._file = file

    def __enter__(self) -> FolderLock:
        self.take()
        return self

    def __exit__(self, *ended: object) -> None:
        self.release()

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
