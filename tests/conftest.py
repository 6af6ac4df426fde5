"""What every test may use."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.test import TransactionTestCase
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from tests import seeds
from tests.databases import delete_all_rows, process_database, run_folder, temporary_folder

if TYPE_CHECKING:
    from pytest_django import DjangoDbBlocker

    from accounts.models import User

# Without compiled files every site that a test starts would compile all modules.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# How long a machine takes says nothing about the claim. An example is a whole table: 25 have all kinds of positions.
hypothesis_settings.register_profile(
    "unhurried", max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("unhurried")

setattr(TransactionTestCase, "_fixture_teardown", delete_all_rows)  # noqa: B010 - not in the types of Django

TESTS = Path(__file__).parent
BROWSER_TESTS = TESTS / "browser"
# Folders whose tests get a transaction of the database, and those of packages that use none.
WITH_DATABASE = {"accounts", "domino_site", "games"}
PURE = {"bots", "examples", "geometry", "lessons", "rendering", "words", "workers"}
# Files that take a minute or more run first, in this order. A worker gets whole files.
LONG_TEST_FILES = ("test_leaks.py", "test_match.py", "test_watching.py", "test_table_states.py")
# Messages of Playwright after 15 seconds without a result. The cause may be a busy machine.
TIMEOUT_MESSAGES = ["^TimeoutError: ", "^AssertionError: (Locator|Page) expected "]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, help="repeat the deals, names and bots of a run; also TEST_SEED")


@pytest.hookimpl(tryfirst=True)  # before the plugin of hypothesis reads its option
def pytest_configure(config: pytest.Config) -> None:
    run_folder()  # before the workers of pytest-xdist begin
    seeds.set_run_seed(config.option.seed)
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = seeds.run_seed()
    os.environ[seeds.SEED_FILE_VARIABLE] = str(temporary_folder() / "seed")


def pytest_sessionstart() -> None:
    seeds.seed_site_modules()


def pytest_report_header() -> str:
    """Say on what this run stands."""
    database = str(settings.DATABASES["default"]["ENGINE"]).rpartition(".")[2]
    layer = str(settings.CHANNEL_LAYERS["default"]["BACKEND"]).rpartition(".")[2]
    return f"stack: {database}, {layer}; seed: {seeds.run_seed()}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Repeat the seed where it is needed; a quiet run prints no header."""
    if any(terminalreporter.stats.get(kind) for kind in ("failed", "error", "rerun")):
        terminalreporter.write_line(f"This run repeats with --seed {seeds.run_seed()}")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import what has no test for PostgreSQL and Redis if only those are asked for."""
    if config.option.markexpr == "stack" and collection_path.suffix == ".py":
        return "mark.stack" not in collection_path.read_text() or None
    return None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give tests the database by their folder, unless their own mark says how they use it."""
    folders = set(item.path.relative_to(TESTS).parts)
    uses_database = folders & WITH_DATABASE and not folders & PURE
    if uses_database and not item.get_closest_marker("django_db"):
        item.add_marker(pytest.mark.django_db)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if BROWSER_TESTS in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=TIMEOUT_MESSAGES))
    items.sort(key=run_order)


def run_order(item: pytest.Item) -> tuple[int, bool, str, bool]:
    """Return when a test runs: in long files, in the browser (site by site), beside this file, in other folders."""
    long = LONG_TEST_FILES.index(item.path.name) if item.path.name in LONG_TEST_FILES else len(LONG_TEST_FILES)
    site = item.get_closest_marker("site")
    return long, not item.get_closest_marker("browser"), str(site or ""), item.path.parent != TESTS


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    seeds.set_seed(seed_of(item))


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> Generator[None]:
    """What tests share does not depend on which of them runs first."""
    if request.scope == "function":
        return (yield)
    with seeds.temporary_seed(f"{seed_of(request.node)} {fixturedef.argname}"):
        return (yield)


def seed_of(node: pytest.Item | pytest.Collector) -> str:
    """Return the seed of a test or file. The mark ``seed`` replaces the seed of the run."""
    mark = node.get_closest_marker("seed")
    return f"{mark.args[0] if mark else seeds.run_seed()} {node.nodeid}"


def pytest_collection_finish() -> None:
    """Collect garbage rarely, and not among what is there before the first test: that took a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Copy a database instead of migrating one for every worker."""
    with django_db_blocker.unblock(), process_database():
        yield


@pytest.fixture(autouse=True)
def fresh_process() -> None:
    """Numbers and addresses of matches come again in the next test's database: nobody may still be at their tables."""
    from channels.layers import channel_layers
    from django.core.cache import caches
    from django.utils import translation

    from games.workers.pool import Workers
    from infrastructure.limits import limits
    from infrastructure.runtime import Runtime

    before, Runtime.current = Runtime.current.objects, Runtime()
    # Processes take a second to start, and remember nothing.
    Runtime.current.objects |= {key: entry for key, entry in before.items() if isinstance(entry, Workers)}
    channel_layers.backends.clear()
    limits.reset()
    translation.deactivate()  # the language of the last request
    for cache in caches.all():  # attempts at a log-in or a sign-up are counted in it
        cache.clear()


@pytest.fixture
def fixed_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Propose always the first names and colours to guests."""
    from accounts.login import guests
    from accounts.names import reserved, rules

    first = SimpleNamespace(choice=lambda items: items[0], randbelow=lambda _count: 0)
    for module in (rules, guests, reserved):
        monkeypatch.setattr(module, "secrets", first)


@pytest.fixture
def ann() -> User:
    """Return a person."""
    from tests.games.tables import person

    return person("Ann")


@pytest.fixture
def ben() -> User:
    """Return another."""
    from tests.games.tables import person

    return person("Ben")
