"""A perfect matching of the greatest weight in a graph, by alternating trees with blossoms.

Vertices and blossoms are *nodes*: a blossom is an odd cycle of nodes that acts as one. Every vertex has a dual, every
blossom a dual of at least zero. An edge is *tight* if its slack is zero; matched edges are tight, and no edge has a
negative slack. A search grows trees of tight edges from the unmatched nodes until one joins two trees, which adds an
edge to the matching; when none is tight, the duals change until one is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

FREE, OUTER, INNER = -1, 0, 1  # not in a tree; at an even, at an odd distance from its root
NONE = -1  # no node

Edge = tuple[int, int]


class Matcher:
    """One run for a graph with vertices from 0 to ``count`` - 1.

    ``weights`` has each edge once, the smaller vertex first. Inside they are multiplied by four: the duals of
    unmatched vertices are even at first, change together, and so stay integers.
    """

    def __init__(self, count: int, weights: Mapping[Edge, int]) -> None:
        self.count = count
        self.links: list[dict[int, Edge]] = [{} for _ in range(count)]  # node: the best edge to each other node
        self.weights: list[dict[int, int]] = [{} for _ in range(count)]
        for (one, other), weight in weights.items():
            self.links[one][other], self.links[other][one] = (one, other), (other, one)
            self.weights[one][other] = self.weights[other][one] = 4 * weight
        self.duals = [max(row.values(), default=0) // 2 for row in self.weights]
        self.mate = [NONE] * count  # the vertex at the other end of the matched edge
        self.top = list(range(count))  # the outermost blossom of each node, NONE for an unused one
        self.cycles: list[list[int]] = [[] for _ in range(count)]
        self.members: list[dict[int, int]] = [{} for _ in range(count)]  # blossom: its node that contains a vertex
        self.labels = [FREE] * count
        self.parents = [NONE] * count  # the vertex through which a tree reached an inner node
        self.nearest = [NONE] * count  # the outer vertex with the least slack to a node
        self.queue: deque[int] = deque()

    def run(self) -> bool:
        """Find the matching. Return False if no perfect matching exists."""
        self.match_tight_edges()
        while NONE in self.mate[: self.count]:
            if not self.grow():
                return False
        return True

    def mates(self) -> list[int]:
        """Return the partner of each vertex."""
        return self.mate[: self.count]

    def excludes(self, edge: Edge, weight: int) -> bool:
        """Return True if the duals prove that an edge outside of the graph cannot improve the matching."""
        return self.duals[edge[0]] + self.duals[edge[1]] >= 4 * weight

    def match_tight_edges(self) -> None:
        """Start with a greedy matching of tight edges: fewer searches remain."""
        for vertex in range(self.count):
            row = self.weights[vertex]
            self.duals[vertex] = max((row[other] - self.duals[other] for other in row), default=self.duals[vertex])
            tight = (other for other in row if self.mate[other] == NONE and not self.slack((vertex, other)))
            partner = next(tight, NONE) if self.mate[vertex] == NONE else NONE
            if partner != NONE:
                self.mate[vertex], self.mate[partner] = partner, vertex

    def slack(self, edge: Edge) -> int:
        one, other = edge
        return self.duals[one] + self.duals[other] - self.weights[one][other]

    def nodes(self) -> Iterator[int]:
        """Yield the outermost nodes."""
        return (node for node, top in enumerate(self.top) if top == node)

    def blossoms(self) -> list[int]:
        return [node for node in range(self.count, len(self.top)) if self.top[node] == node]

    # A search

    def grow(self) -> bool:
        """Grow trees until the matching has one more edge. Return False if that is impossible."""
        self.labels = [FREE] * len(self.top)
        self.nearest = [NONE] * len(self.top)
        self.queue.clear()
        for node in list(self.nodes()):
            if self.mate[node] == NONE:
                self.parents[node], self.labels[node] = NONE, OUTER
                self.push(node)
        while True:
            if self.follow_tight_edges():
                return True
            step = self.dual_step()
            if step is None:
                return False
            self.change_duals(step)
            if self.use_new_tight_edges():
                return True
            for blossom in self.blossoms():
                if self.labels[blossom] == INNER and not self.duals[blossom]:
                    self.expand(blossom)

    def follow_tight_edges(self) -> bool:
        while self.queue:
            vertex = self.queue.popleft()
            if self.labels[self.top[vertex]] == INNER:
                continue
            for other in self.weights[vertex]:
                if self.top[vertex] == self.top[other]:
                    continue
                if self.slack((vertex, other)):
                    self.note_slack(vertex, self.top[other])
                elif self.use_edge((vertex, other)):
                    return True
        return False

    def use_new_tight_edges(self) -> bool:
        for node in range(len(self.top)):
            near = self.nearest[node]
            if self.top[node] != node or near == NONE or self.top[near] == node:
                continue
            edge = self.links[near][node]
            if not self.slack(edge) and self.use_edge(edge):
                return True
        return False

    def dual_step(self) -> int | None:
        """Return the change of duals that makes an edge tight or a blossom expand, None if there is none."""
        steps = [self.duals[blossom] // 2 for blossom in self.blossoms() if self.labels[blossom] == INNER]
        for node in self.nodes():
            if self.nearest[node] != NONE and self.labels[node] != INNER:
                slack = self.slack(self.links[self.nearest[node]][node])
                steps.append(slack if self.labels[node] == FREE else slack // 2)
        return min(steps, default=None)

    def change_duals(self, step: int) -> None:
        for vertex in range(self.count):
            label = self.labels[self.top[vertex]]
            self.duals[vertex] += step if label == INNER else -step if label == OUTER else 0
        for blossom in self.blossoms():
            label = self.labels[blossom]
            self.duals[blossom] += 2 * step if label == OUTER else -2 * step if label == INNER else 0

    def use_edge(self, edge: Edge) -> bool:
        """Extend a tree by a tight edge. Return True if the edge added one to the matching."""
        one, other = self.top[edge[0]], self.top[edge[1]]
        if self.labels[other] == FREE:
            following = self.top[self.mate[other]]
            self.parents[other], self.labels[other], self.labels[following] = edge[0], INNER, OUTER
            self.nearest[other] = self.nearest[following] = NONE
            self.push(following)
        elif self.labels[other] == OUTER:
            root = self.common_root(one, other)
            if root == NONE:
                self.augment(one, other)
                self.augment(other, one)
                return True
            self.shrink(one, root, other)
        return False

    def push(self, node: int) -> None:
        """Queue the vertices of an outer node."""
        if node < self.count:
            self.queue.append(node)
        for member in self.cycles[node]:
            self.push(member)

    def note_slack(self, vertex: int, node: int) -> None:
        best = self.nearest[node]
        if best == NONE or self.slack(self.links[vertex][node]) < self.slack(self.links[best][node]):
            self.nearest[node] = vertex

    def find_slack(self, node: int) -> None:
        self.nearest[node] = NONE
        for other in self.links[node]:
            if other < self.count and self.top[other] != node and self.labels[self.top[other]] == OUTER:
                self.note_slack(other, node)

    def step_up(self, node: int) -> int:
        """Return the outer node two steps nearer to the root, NONE at the root."""
        if self.mate[node] == NONE:
            return NONE
        return self.top[self.parents[self.top[self.mate[node]]]]

    def common_root(self, one: int, other: int) -> int:
        """Return the first outer node on both paths to the root, NONE between two trees."""
        seen = set()
        while one != NONE or other != NONE:
            if one != NONE:
                if one in seen:
                    return one
                seen.add(one)
                one = self.step_up(one)
            one, other = other, one
        return NONE

    # Changes of the matching

    def augment(self, node: int, target: int) -> None:
        """Swap matched and unmatched edges from a node up to its root, beginning with the edge to ``target``."""
        while True:
            previous = self.top[self.mate[node]] if self.mate[node] != NONE else NONE
            self.set_mate(node, target)
            if previous == NONE:
                return
            following = self.top[self.parents[previous]]
            self.set_mate(previous, following)
            node, target = following, previous

    def set_mate(self, node: int, target: int) -> None:
        edge = self.links[node][target]
        self.mate[node] = edge[1]
        if node < self.count:
            return
        member = self.members[node][edge[0]]
        index = self.even_index(node, member)
        cycle = self.cycles[node]
        for place in range(index):
            self.set_mate(cycle[place], cycle[place ^ 1])
        self.set_mate(member, target)
        self.cycles[node] = cycle[index:] + cycle[:index]

    def even_index(self, blossom: int, member: int) -> int:
        """Turn the cycle so that a member is at an even index, and return it."""
        cycle = self.cycles[blossom]
        index = cycle.index(member)
        if index % 2 == 0:
            return index
        cycle[1:] = cycle[:0:-1]
        return len(cycle) - index

    # Blossoms

    def shrink(self, one: int, root: int, other: int) -> None:
        """Make the cycle from a common root to two nodes, which a tight edge joins, a blossom."""
        blossom = self.unused_blossom()
        self.duals[blossom], self.labels[blossom] = 0, OUTER
        self.mate[blossom], self.parents[blossom] = self.mate[root], self.parents[root]
        cycle = [root, *reversed(self.add_path(one, root)), *self.add_path(other, root)]
        self.cycles[blossom] = cycle
        self.set_top(blossom, blossom)
        self.link_blossom(blossom, cycle)
        self.find_slack(blossom)

    def add_path(self, node: int, root: int) -> list[int]:
        """Return the nodes from a node to below the root, and queue the inner ones, which become outer."""
        path = []
        while node != root:
            inner = self.top[self.mate[node]]
            self.push(inner)
            path += [node, inner]
            node = self.top[self.parents[inner]]
        return path

    def link_blossom(self, blossom: int, cycle: Iterable[int]) -> None:
        """Give a blossom the best edge of its members to each other node."""
        best: dict[int, Edge] = {}
        members: dict[int, int] = {}
        for member in cycle:
            for node, edge in self.links[member].items():
                if self.top[node] != NONE and (node not in best or self.slack(edge) < self.slack(best[node])):
                    best[node] = edge
            members |= dict.fromkeys(self.members[member] if member >= self.count else (member,), member)
        for node, edge in best.items():
            self.links[node][blossom] = edge[1], edge[0]
        self.links[blossom], self.members[blossom] = best, members

    def unused_blossom(self) -> int:
        for blossom in range(self.count, len(self.top)):
            if self.top[blossom] == NONE:
                for links in self.links:
                    links.pop(blossom, None)
                return blossom
        for column, start in ((self.duals, 0), (self.labels, FREE), (self.top, NONE)):
            column.append(start)
        for column in (self.mate, self.parents, self.nearest):
            column.append(NONE)
        self.links.append({})
        self.cycles.append([])
        self.members.append({})
        return len(self.top) - 1

    def set_top(self, node: int, top: int) -> None:
        self.top[node] = top
        for member in self.cycles[node]:
            self.set_top(member, top)

    def expand(self, blossom: int) -> None:
        """Dissolve an inner blossom whose dual is zero: the even path from its base stays in the tree."""
        for member in self.cycles[blossom]:
            self.set_top(member, member)
        entry = self.links[blossom][self.parents[blossom]][0]
        member = self.members[blossom][entry]
        index = self.even_index(blossom, member)
        cycle = self.cycles[blossom]
        for place in range(0, index, 2):
            inner, outer = cycle[place], cycle[place + 1]
            self.parents[inner] = self.links[outer][inner][0]
            self.labels[inner], self.labels[outer] = INNER, OUTER
            self.nearest[inner] = NONE
            self.find_slack(outer)
            self.push(outer)
        self.labels[member], self.parents[member] = INNER, self.parents[blossom]
        self.nearest[member] = NONE
        for node in cycle[index + 1 :]:
            self.labels[node] = FREE
            self.find_slack(node)
        self.top[blossom], self.cycles[blossom] = NONE, []
