"""A real Dask scheduler and workers as processes: the same results as on one machine, also when a worker dies."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from multiprocessing import get_context

import pytest

from bastide import BastideError, Rules
from bastide.simulation import Run, chunks
from bastide.tally import Tally
from bastide.workers import WorkerError, cluster_workers, local_workers

ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
BASE = Run(Rules(), None, 5)


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """The address of a scheduler, and a function that starts a worker and returns its process."""
    folder = tmp_path_factory.mktemp("dask")
    log = (folder / "log").open("w")
    processes = []

    def start(*args):
        options = {"env": ENV, "cwd": folder, "stdout": log, "stderr": log}
        processes.append(subprocess.Popen([sys.executable, "-m", *args], **options))
        return processes[-1]

    scheduler_args = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
    start("distributed.cli.dask_scheduler", *scheduler_args, "--scheduler-file", str(folder / "scheduler.json"))
    wait_for((folder / "scheduler.json").exists)
    address = json.loads((folder / "scheduler.json").read_text())["address"]

    def worker():
        return start("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")

    worker()
    yield address, worker
    for process in processes:
        process.kill()
        process.wait()
    log.close()


def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def bastide(*args):
    command = [sys.executable, "-m", "bastide", *map(str, args)]
    return subprocess.run(command, env=ENV, capture_output=True, text=True, timeout=180, check=True).stdout


def tallied(run, n, workers, on_chunk=lambda: None):
    tally = Tally(run.rules.players)
    for chunk in chunks(run, [(0, n)], 1, workers, rows=False):
        tally.merge(chunk.tally)
        on_chunk()
    return tally.sums()


def test_a_cluster_plays_the_games_that_threads_play(scheduler, tmp_path):
    address, _ = scheduler
    args = ["simulate", "-n", 30_000, "--seed", 7, "--preset", "river", "--json"]
    here = json.loads(bastide(*args))
    there = json.loads(bastide(*args, "--cluster", address, "--out", tmp_path / "games.csv"))
    assert here["sums"] == there["sums"]
    bastide(*args, "--out", tmp_path / "here.csv")
    assert (tmp_path / "games.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()


def test_agents_play_the_same_games_on_a_cluster(scheduler):
    run = Run(Rules(), None, 9, ("greedy", "random"))
    with cluster_workers(scheduler[0]) as there, local_workers(1) as here:
        assert tallied(run, 6, there) == tallied(run, 6, here)


def test_a_worker_that_dies_in_the_middle_loses_and_doubles_nothing(scheduler):
    address, start = scheduler
    victim = start()
    with cluster_workers(address) as workers:
        wait_for(lambda: len(workers._client.nthreads()) == 2)
        workers.width = 2
        n_chunks = [0]

        def kill_one():
            n_chunks[0] += 1
            if n_chunks[0] == 4:
                victim.send_signal(signal.SIGKILL)
                victim.wait()

        found = tallied(BASE, 400_000, workers, kill_one)
        assert n_chunks[0] > 4
        assert len(workers._client.nthreads()) == 1
    expected = Tally(2)
    expected.add(0, BASE.game.playouts(400_000, seed=5, stats=True))
    assert found == expected.sums()


def test_a_tournament_on_a_cluster_has_the_table_of_one_machine(scheduler, tmp_path):
    address, start = scheduler
    args = ["tournament", "run", "--agents", "greedy,random,greedy:price=2", "--rounds", 8, "--max-decisions", 40]
    args += ["--seed", 7, "--json"]
    here = json.loads(bastide(*args, "--journal", tmp_path / "here.db"))
    victim = start()
    command = [
        sys.executable,
        "-m",
        "bastide",
        *map(str, args),
        "--cluster",
        address,
        "--journal",
        tmp_path / "there.db",
    ]
    with subprocess.Popen(command, env=ENV, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
        wait_for(lambda: (tmp_path / "there.db-wal").exists() or child.poll() is not None)
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        out, _ = child.communicate(timeout=180)
    assert child.returncode == 0
    there = json.loads(out)
    for facts in (here, there):
        for entrant in facts["entrants"]:
            del entrant["seconds"]
    assert here == there


def test_a_local_cluster_is_started_and_ended():
    found = json.loads(bastide("simulate", "-n", 2000, "--seed", 7, "--json", "--cluster", "local:2"))
    assert found["threads"] == 2
    assert found["checksum"] == json.loads(bastide("simulate", "-n", 2000, "--seed", 7, "--json"))["checksum"]


@pytest.mark.parametrize(
    "address",
    [
        *("", "nowhere", "http://here:1", "tcp:", "tcp://", "tcp://abc", "tcp://:8786", "tcp://abc:port", "ws://abc"),
        *("local:", "local:0", "local:x", "local:9999"),
    ],
)
def test_an_address_that_is_none_is_an_error(address):
    with pytest.raises(BastideError, match=re.escape(repr(address))):
        cluster_workers(address)


@pytest.mark.parametrize("address", ["tcp://abc:8786", "tls://10.0.0.1:8786", "ws://[::1]:8786"])
def test_an_address_with_host_and_port_is_taken(address):
    assert cluster_workers(address)


def test_processes_are_spawned_where_there_is_no_fork_server(monkeypatch):
    monkeypatch.setattr("bastide.workers.get_all_start_methods", lambda: ["spawn"])
    monkeypatch.setattr("bastide.workers.get_context", {"spawn": get_context("spawn")}.__getitem__)
    with local_workers(2, processes=True) as workers:
        assert list(workers.map(abs, [(-3,)])) == [3]


def test_a_scheduler_that_is_not_there_is_an_error(monkeypatch):
    monkeypatch.setattr("bastide.workers.CONNECT_SECONDS", 1)
    with pytest.raises(BastideError, match="cannot be reached"), cluster_workers("tcp://127.0.0.1:9"):
        pass


def test_a_missing_library_is_an_error_that_says_what_to_install(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("bastide.workers.import_module", missing)
    with pytest.raises(BastideError, match=r"pip install 'bastide\[cluster\]'"), cluster_workers("local:1"):
        pass


def test_a_lost_worker_process_is_an_error():
    with local_workers(2, processes=True) as workers, pytest.raises(WorkerError, match="a worker process has died"):
        list(workers.map(os._exit, [(3,)]))
