"""Do many tasks at once: by threads, by processes, or by the workers of a Dask cluster.

A task is a picklable function of its arguments alone, so it does not matter who does it, or whether a second time
because the first worker died. Its first argument says which run it belongs to by an attribute `key`.
"""

import hashlib
import os
import re
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from multiprocessing import get_all_start_methods, get_context, parent_process
from threading import Thread
from typing import Any, Protocol

from bastide.errors import BastideError

__all__ = ["CHUNK_SECONDS", "Pace", "WorkerError", "Workers", "cluster_workers", "local_workers"]

CHUNK_SECONDS = 0.25  # of a task: it ends soon enough for progress and Ctrl-C
CLUSTER_SECONDS = 2.0  # of a cluster's task: far more than its scheduler needs for it, which
SCHEDULER_SECONDS = 0.01  # is less than this for one of all its workers
MAX_KEY = 80  # characters of a key that say what its task is; longer ones become a hash
AHEAD = 2  # tasks that are handed out for each worker, so that none has to wait for its next one
CONNECT_SECONDS = 15
START_SECONDS = 60  # until the first worker of a cluster is there
QUIET = {  # what a cluster of this machine does without: looking at itself many times a second
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
    **{f"distributed.worker.memory.{limit}": False for limit in ("target", "spill", "pause", "terminate")},
}
POLL_SECONDS = 10  # between looks at how many workers a cluster has


class WorkerError(BastideError):
    """Raised when workers, or the connection to them, are lost in the middle of a run."""


class Pace:
    """Find how many games, or the like, make a task of some seconds."""

    def __init__(self, seconds: float, n: int = 1, most: int = 1 << 30) -> None:
        self.seconds, self.n, self.most = seconds, n, most

    def learn(self, n: int, seconds: float) -> None:
        """Tell how long a task of `n` took."""
        rate = n / max(seconds, 1e-6)
        self.n = max(1, min(int(rate * self.seconds), 4 * self.n, self.most))


class Workers(Protocol):
    """Those who do tasks."""

    width: int  # how many tasks are done at once
    is_cluster: bool

    @property
    def seconds(self) -> float:
        """How long a task should take."""

    def map(
        self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], ordered: bool = False
    ) -> Iterator[Any]:
        """Yield the results of tasks, as they come or in the order of the tasks.

        Tasks are taken from the iterable when there is room for them. If the consumer stops, no more are begun.
        Errors: those of the function; WorkerError.
        """


def local_workers(n: int, processes: bool = False) -> AbstractContextManager[Workers]:
    """Return `n` workers on this machine, threads or processes. One worker is this thread itself."""
    return _local(n, processes)


@contextmanager
def _local(n: int, processes: bool) -> Iterator[Workers]:
    if n == 1:
        yield _Here()
        return
    pool: Executor
    if processes:
        method = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"  # on Windows
        pool = ProcessPoolExecutor(n, mp_context=get_context(method), initializer=_begin_worker)
    else:
        pool = ThreadPoolExecutor(n)
    with pool:
        yield _Pool(pool, n)


def _begin_worker() -> None:
    """Leave Ctrl-C, which a terminal sends to all processes, to the one that hands out the tasks, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # a pool whose owner was killed would wait for tasks forever


class _Here:
    width = 1
    seconds = CHUNK_SECONDS
    is_cluster = False

    def map(
        self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], ordered: bool = False
    ) -> Iterator[Any]:
        for task in tasks:
            yield function(*task)


class _Pool:
    seconds = CHUNK_SECONDS
    is_cluster = False

    def __init__(self, pool: Executor, width: int) -> None:
        self._pool, self.width = pool, width

    def map(
        self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], ordered: bool = False
    ) -> Iterator[Any]:
        waiting = iter(tasks)
        begun: deque[Future[Any]] = deque()
        try:
            while True:
                while len(begun) < AHEAD * self.width and (task := next(waiting, None)) is not None:
                    begun.append(self._pool.submit(function, *task))
                if not begun:
                    return
                first = begun[0]
                if not ordered:
                    first = min(wait(begun, return_when=FIRST_COMPLETED).done, key=begun.index)
                result = first.result()
                begun.remove(first)
                yield result
        except BrokenProcessPool as error:
            raise WorkerError("a worker process has died") from error
        finally:
            for future in begun:
                future.cancel()


def cluster_workers(address: str) -> AbstractContextManager[Workers]:
    """Return the workers of a Dask cluster: "tcp://host:port" of its scheduler, or "local:N" for N processes here.

    Errors: BastideError for another text, without the extra "cluster", or if there is no such scheduler.
    """
    kind, _, rest = address.partition(":")
    if kind == "local":
        if not rest.isdecimal() or not 1 <= int(rest) <= 1024:
            raise BastideError(f"cluster {address!r}: N must be a number of 1 .. 1024 (expected e.g. local:4)")
    elif kind not in ("tcp", "tls", "ws", "wss") or not re.fullmatch(r"//([^\s:/]+|\[[^\s\]/]+\]):\d{1,5}/?", rest):
        raise BastideError(f"cluster {address!r} is not known (expected tcp://HOST:PORT or local:N)")
    return _cluster(address, int(rest) if kind == "local" else 0)


@contextmanager
def _cluster(address: str, n: int) -> Iterator[Workers]:
    try:
        distributed = import_module("distributed")
    except ImportError as error:
        raise BastideError(f"a cluster needs the extra 'cluster': pip install 'bastide[cluster]' ({error})") from error
    local = None
    try:
        if n:
            with import_module("dask").config.set(QUIET):
                local = distributed.LocalCluster(n_workers=n, threads_per_worker=1, dashboard_address=None)
        client = distributed.Client(local or address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise BastideError(f"cluster {address!r}: cannot be reached: {error}") from error
    try:
        try:
            client.wait_for_workers(n or 1, timeout=START_SECONDS)
        except TimeoutError as error:
            raise BastideError(f"cluster {address!r}: no worker came within {START_SECONDS} s") from error
        yield _Cluster(client)
    finally:
        client.close()
        if local is not None:
            local.close()


class _Cluster:
    """The workers of a scheduler. A task's key names run and range, so it is not done twice at once."""

    is_cluster = True

    def __init__(self, client: Any) -> None:
        self._client = client
        self._looked_at = 0.0
        self.width: int = max(1, sum(client.nthreads().values()))

    @property
    def seconds(self) -> float:
        return max(CLUSTER_SECONDS, SCHEDULER_SECONDS * self.width)

    def map(
        self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], ordered: bool = False
    ) -> Iterator[Any]:
        distributed = import_module("distributed")
        waiting = iter(tasks)
        begun: deque[Any] = deque()
        done = distributed.as_completed(loop=self._client.loop)

        def fill() -> None:
            while len(begun) < AHEAD * self.width and (task := next(waiting, None)) is not None:
                run, *rest = task
                text = "-".join(map(str, rest))
                if len(text) > MAX_KEY:
                    text = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
                key = f"bastide-{run.key}-{text}"
                future = self._client.submit(function, *task, key=key, pure=True)
                begun.append(future)
                done.add(future)

        try:
            fill()
            while begun:
                future = begun[0] if ordered else next(done)
                result = future.result()
                begun.remove(future)
                yield result
                self._look()
                fill()
        except (OSError, TimeoutError, distributed.KilledWorker, distributed.client.FutureCancelledError) as error:
            raise WorkerError(f"the cluster is lost: {error}") from error
        finally:
            for future in begun:
                future.cancel()

    def _look(self) -> None:
        """See how many workers there are by now."""
        now = os.times().elapsed
        if now - self._looked_at > POLL_SECONDS:
            self._looked_at = now
            self.width = max(1, sum(self._client.nthreads().values()))
