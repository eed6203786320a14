"""The facade: one user's memory, with everything it can do. Each method is a few lines over the rooms below it."""

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from hornbook.claiming import When, instant
from hornbook.display import attach
from hornbook.graph.clock import Clock, system_clock
from hornbook.graph.episode import NodeType, Scope, StoredMemory, checked_text, checked_word
from hornbook.graph.errors import InvalidArgument
from hornbook.graph.events import Actor
from hornbook.graph.ids import new_id
from hornbook.ingesting import episode_from
from hornbook.keeping import Keeping
from hornbook.looking import Looking
from hornbook.opening import embedder_of, extractor_of, open_store
from hornbook.settings import Settings, read
from hornbook.showing import Showing
from hornbook.tending import Tending

if TYPE_CHECKING:
    import networkx as nx

    from hornbook.extraction.candidate import Extractor
    from hornbook.graph.claims.adjudicate import Oracle
    from hornbook.graph.claims.context import Context
    from hornbook.graph.claims.entity import Known
    from hornbook.graph.nodes import Node
    from hornbook.graph.remember import Stored
    from hornbook.graph.retrieval.embed import Embedder
    from hornbook.graph.retrieval.search import Results
    from hornbook.graph.retrieval.waiting import Embedded
    from hornbook.graph.store import Store

LONGEST_QUERY = 100_000  # characters
MOST_HITS = 200
BACKEND = "sqlite+kuzu"  # the journal's engine, and the view's
LEAST_BUDGET, MOST_BUDGET = 100, 60_000  # tokens of a context


attach()


class Memory(Looking, Tending, Keeping, Showing):
    """One user's memory. Open it with `Memory.open`; any thread may use it; close it, or use it in a `with` block.

    >>> from hornbook.graph.clock import ticking
    >>> memory = Memory.open(":memory:", user="ana", clock=ticking())
    >>> stored = memory.store("The spare key is under the blue pot.", occurred_at="2024-04-02")
    >>> memory.get(stored.node_id).occurred_at
    '2024-04-02'
    >>> memory.close()
    """

    def __init__(
        self, store: "Store", user: str, settings: Settings, embedder: "Embedder", extractor: "Extractor", actor: Actor
    ) -> None:
        self.user = user
        self.settings = settings
        self._store = store
        self._embedder = embedder
        self._extractor = extractor
        self._actor = actor
        self._index = None
        self._oracle: Oracle | None = None
        self._oracle_deadline = 0.0

    @classmethod
    def open(
        cls,
        where: str | Path | None = None,
        user: str | None = None,
        *,
        clock: Clock = system_clock,
        settings: Settings | None = None,
        embedder: "Embedder | None" = None,
        extractor: "Extractor | None" = None,
        actor: Actor | None = None,
        oracle: "Oracle | None" = None,
        oracle_deadline: float = 30.0,
    ) -> Self:
        """Open the memory of a user, or create it.

        `where` is a directory (one folder a user), a file ending in `.hornbook`, or ":memory:"; the user's data
        directory if it is left out. An `oracle` is asked about claims that contradict each other, and has so many
        seconds to answer affirm, deny or unknown. Raises StoreError and its kinds when the store cannot be opened.
        """
        settings = settings or read()
        owner = settings.user_for(user)
        # before the store: a setting that is refused leaves nothing open
        models = embedder or embedder_of(settings.embedding), extractor or extractor_of(settings.extraction)
        memory = cls(
            open_store(where if where is not None else settings.store, owner, settings, clock),
            owner,
            settings,
            *models,
            actor or Actor("python", "", str(os.getpid())),
        )
        memory._oracle, memory._oracle_deadline = oracle, oracle_deadline
        memory._store.asks = oracle is not None
        return memory

    def __repr__(self) -> str:
        """Whose memory it is, and how much is in it."""
        return f"Memory(user={self.user!r}, events={self._store.journal.head()})"

    # writing

    def store(
        self,
        content: str,
        *,
        node_type: str = "note",
        scope: str = "personal",
        role: str = "user",
        speaker: str | None = None,
        session: str | None = None,
        occurred_at: When = None,
        idempotency_key: str | None = None,
        source: str | None = None,
        position: str | int | None = None,
        agent: str | None = None,
        run: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        subject: str | None = None,
        predicate: str | None = None,
        value: Any = None,
        actor: Actor | None = None,
    ) -> "Stored":
        """Store a memory as it is; with subject, predicate and value a fact, preference or decision is also a claim.

        `occurred_at` is when it was said, as a lenient date in UTC. Nothing is written when an argument is wrong:
        InvalidArgument names it; TooLarge above 4 MB of text.
        """
        from hornbook.graph.record import prepare
        from hornbook.graph.remember import remember

        kind = checked_word(node_type, NodeType, "node_type")
        episode = episode_from(
            content, role, speaker, scope, session, source, position, occurred_at, agent, run, metadata
        )
        claim = self._stored_claim(episode, kind, subject, predicate, value)
        indexed = prepare(episode.content, speaker, self._embed)
        id_ = new_id()

        def item(number: int) -> StoredMemory:
            return StoredMemory(
                id_, number, episode.id, kind, episode.scope, metadata=metadata or {}, agent=agent, run=run
            )

        return remember(
            self._store,
            actor or self._actor,
            episode,
            item,
            indexed,
            self._model(),
            claim=claim,
            idempotency_key=idempotency_key,
        )

    # reading

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        scope: str | None = None,
        node_types: Collection[str] | None = None,
        valid_at: When = None,
        knowledge_at: When = None,
        min_score: float | None = None,
        include_inactive: bool = False,
        explain: bool = False,
        agent: str | None = None,
        run: str | None = None,
    ) -> "Results":
        """What answers a question, best first, at most `limit` (1 to 200); nothing where nothing does.

        By default what is true now as known now; `valid_at` and `knowledge_at` take lenient dates in UTC, and
        `knowledge_at` alone means true then, as known then.
        """
        from hornbook.graph.retrieval.scoring import Fusion, Scoring
        from hornbook.graph.retrieval.search import Query, search

        asked = checked_text(query, "query", LONGEST_QUERY)
        if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= MOST_HITS:
            raise InvalidArgument(f"limit must be 1 to {MOST_HITS}", field="limit", hint="leave it out for 10")
        filters = self._filters(scope, node_types, agent, run)
        with self._read(knowledge_at) as reading:
            at = instant(reading, valid_at, knowledge_at)
            wanted = Query(asked, at, limit, filters, min_score, include_inactive, explain, asker=self.user)
            scoring = Scoring(Fusion(self.settings.scoring.fusion), self.settings.scoring.weights)
            shown = self._show_derived(reading)
            return search(reading, self._indexed(reading), self._embedder, wanted, scoring, derived=shown)

    def index(self, budget_ms: float | None = None, *, actor: Actor | None = None) -> "Embedded":
        """Give vectors to what is found by its words alone so far: claims, and texts stored while there was no model.

        A search does this by itself for what was stated since the last, and `organize` for all; this is for whoever
        wants it done beforehand. Within the budget it does what it can; call it again while it says `waiting`.
        """
        from hornbook.graph.retrieval.waiting import embed_waiting

        return embed_waiting(self._store, actor or self._actor, self._embedder, budget_ms)

    def reembed(self, budget_ms: float | None = None, *, actor: Actor | None = None) -> "Embedded":
        """Embed everything anew after a change of model; resumable, call it again while it says `waiting`.

        Until it is done, what has no vector of the new model is found by its words.
        """
        from hornbook.graph.retrieval.waiting import embed_waiting

        return embed_waiting(self._store, actor or self._actor, self._embedder, budget_ms, replace=True)

    def get(self, node_id: str | int, *, knowledge_at: When = None) -> "Node":
        """One memory or episode whole, by its id or its number. NotFound where it is not in this memory."""
        from hornbook.graph.nodes import get

        with self._read(knowledge_at) as reading:
            return get(reading, node_id)

    def promote(self, node_id: str, *, actor: Actor | None = None) -> "Node":
        """Make a tentative memory stable. Conflict where its state does not allow it, or where it is contested."""
        return self._moved(node_id, "stable", "promoted", actor)

    def archive(self, node_id: str, *, actor: Actor | None = None) -> "Node":
        """Take a memory out of search for good; its claims and its history stay."""
        return self._moved(node_id, "archived", "archived", actor)

    def _moved(self, node_id: str, state: str, reason: str, actor: Actor | None) -> "Node":
        from hornbook.graph.lifecycle import Lifecycle
        from hornbook.graph.moves import move

        self._store.write(actor or self._actor, lambda writing: move(writing, str(node_id), Lifecycle(state), reason))
        return self.get(node_id)

    def graph(self, *, knowledge_at: When = None) -> "nx.MultiDiGraph[str]":
        """The memory as a networkx graph: entities, claims, episodes and memories, and what joins them.

        What rules derive is in it with its premises, up to 20,000 conclusions; above, or where the rules cannot be
        evaluated, the graph's attribute `derived` is None.
        """
        from hornbook.graph.export import networkx_graph

        with self._read(knowledge_at) as reading:
            return networkx_graph(reading, self._conclusions(reading))

    def context(
        self,
        query: str,
        *,
        token_budget: int = 4_000,
        valid_at: When = None,
        knowledge_at: When = None,
        scope: str | None = None,
    ) -> "Context":
        """A text to read before answering: beliefs first, contested ones as such, then who said what, and when.

        What rules derive for whom the question names is among the beliefs, and said to follow by rule.
        """
        from hornbook.graph.claims.context import context

        if isinstance(token_budget, bool) or not LEAST_BUDGET <= token_budget <= MOST_BUDGET:
            raise InvalidArgument(f"token_budget must be {LEAST_BUDGET} to {MOST_BUDGET}", field="token_budget")
        found = self.search(query, limit=MOST_HITS, scope=scope, valid_at=valid_at, knowledge_at=knowledge_at)
        with self._read(knowledge_at) as reading:
            at = instant(reading, valid_at, knowledge_at)
            with self._with_rules(reading, self._indexed(reading), query, at, scope) as concluded:
                return context(reading, found, at, token_budget, concluded)

    def entity(self, entity_id: str, *, knowledge_at: When = None) -> "Known":
        """One entity by id or name: its names, and what its lines say."""
        from hornbook.graph.claims.entity import known

        with self._read(knowledge_at) as reading:
            return known(reading, entity_id, instant(reading, None, knowledge_at))

    def health(self) -> dict[str, Any]:
        """Whether the store answers, and which version serves it."""
        from hornbook import __version__

        damage = self._store.journal.damage
        return {
            "status": "ok" if damage is None else "damaged",
            "version": __version__,
            "events": self._store.journal.head(),
            "read_only": self._store.journal.read_only,
            **({} if damage is None else {"damage": f"from event {damage.seq} on: {damage.reason}"}),
        }

    def stats(self, *, knowledge_at: When = None) -> dict[str, Any]:
        """How much is in this memory."""
        from hornbook import __version__
        from hornbook.graph.view import queries

        with self._read(knowledge_at) as reading:
            return {
                "version": __version__,
                "backend": BACKEND,
                "user_id": self.user,
                "events": reading.upto,
                **reading.ask(queries.counts, upto=reading.upto),
            }

    # inside

    @staticmethod
    def _filters(
        scope: str | None, node_types: Collection[str] | None, agent: str | None, run: str | None
    ) -> dict[str, Sequence[str]]:
        given: dict[str, Sequence[str]] = {}
        if scope is not None:
            given["scope"] = [checked_word(scope, Scope, "scope").value]
        if node_types is not None:
            given["node_type"] = [checked_word(word, NodeType, "node_types").value for word in node_types]
        if agent is not None:
            given["agent"] = [agent]
        if run is not None:
            given["run"] = [run]
        return given

    def close(self) -> None:
        """Close the store; harmless when it is closed."""
        self._let_go()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
