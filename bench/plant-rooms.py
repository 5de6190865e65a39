"""Gives the bookings of a center random rooms, moves and unknown rooms, for bench/check-rooms.py.

    python3 bench/plant-rooms.py SEED RECORDS.ndjson[.gz] CENTER planted.ndjson

`planted.ndjson` has the center's records with rooms, of which some are terms and some have beds. The same seed makes the
same file.
"""
import gzip
import json
import random
import sys
from datetime import date, timedelta

ROOMS = [f"r-{number}" for number in range(1, 121)]


def segments(chosen, first, last):
    """One to four, which may begin late, leave gaps, end early, be unordered, or have no room."""
    nights = (last - first).days
    starts = sorted(chosen.sample(range(nights), min(nights, chosen.randint(1, 4))))
    found = []
    for at, begins in enumerate(starts):
        ends = starts[at + 1] if at + 1 < len(starts) else nights
        if chosen.random() < 0.2:
            ends = max(begins + 1, ends - 1)
        one = {"from": str(first + timedelta(begins)), "until": str(first + timedelta(ends))}
        if chosen.random() < 0.9:
            one["roomId"] = chosen.choice(ROOMS)
        found.append(one)
    if chosen.random() < 0.3:
        chosen.shuffle(found)
    return found


def main(seed, path, center, planted):
    chosen = random.Random(int(seed))
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as lines, open(planted, "w", encoding="utf-8") as out:
        for line in lines:
            record = json.loads(line)
            if record.get("centerId", record.get("id")) != center:
                continue
            if record["kind"] == "term" and record["set"] == "room":
                continue
            if record["kind"] == "booking":
                first, last = (date.fromisoformat(record[name][:10]) for name in ("startDate", "endDate"))
                record.pop("acc", None)
                if chosen.random() < 0.9:
                    record["acc"] = {"roomId": chosen.choice(ROOMS)}
                if last > first and chosen.random() < 0.3:
                    record["accSegments"] = segments(chosen, first, last)
            out.write(json.dumps(record) + "\n")
        for number, room in enumerate(ROOMS):
            if number % 5:
                beds = {"beds": chosen.randint(0, 4)} if number % 3 else {}
                term = {"kind": "term", "centerId": center, "set": "room", "id": room, "name": f"Room {room}", **beds}
                out.write(json.dumps(term) + "\n")


main(*sys.argv[1:])
