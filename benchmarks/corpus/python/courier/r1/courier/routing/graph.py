import collections
import heapq

from ..problems import RouteBlocked


class Graph:
    def __init__(self, edges=()):
        self.edges = collections.defaultdict(dict)
        for start, end, length in edges:
            self.edges[start][end] = length

    def shortest(self, start, end):
        queue = [(0, start)]
        best = {start: 0}
        while queue:
            length, node = heapq.heappop(queue)
            if node == end:
                return length
            for following, step in self.edges[node].items():
                total = length + step
                if total < best.get(following, float("inf")):
                    best[following] = total
                    heapq.heappush(queue, (total, following))
        raise RouteBlocked(start, end)

    def length_of(self, stops):
        return sum(self.edges[one][other] for one, other in zip(stops, stops[1:]))

    def reach(self, node, path=()):
        yield node
        for following in self.edges[node]:
            yield from self.reach(following, (*path, node))

    def prune(self, maximum):
        for node, ends in self.edges.items():
            for end in ends:
                if ends[end] > maximum:
                    del ends[end]
