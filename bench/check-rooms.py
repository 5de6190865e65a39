"""The rooms of each day, counted a second time: in another language and straight from the records of an export.

    sojourn export --center demo > demo.ndjson
    python3 bench/check-rooms.py demo.ndjson http://127.0.0.1:8080 "$SOJOURN_KEY" 2026-01-01 2026-12-31

It knows the rules from docs/api-design.md and docs/records.md and shares nothing with the service. It prints what was
compared, and the first differences of each day; it ends with 1 if there is one. The key reads rooms.
"""
import gzip
import json
import sys
import urllib.request
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

AHEAD = 366
ONE = timedelta(days=1)
COUNTS = ("guests", "arriving", "departing", "movingIn", "movingOut", "tonight")


class Stay:
    def __init__(self, booking, zone):
        def local(name):
            return datetime.fromisoformat(booking[name].replace("Z", "+00:00")).astimezone(zone).date()

        self.first, self.last = local("startDate"), local("endDate")
        self.fixed = (booking.get("acc") or {}).get("roomId")
        parts = sorted(booking.get("accSegments") or [], key=lambda one: one["from"])
        self.parts = [(date.fromisoformat(one["from"]), one.get("roomId")) for one in parts]

    def room(self, day):
        if not self.parts:
            return self.fixed
        found = self.parts[0][1]
        for begins, room in self.parts:
            if begins <= day:
                found = room
        return found


def stays_of(records):
    center = records["center"][0]
    rules = center.get("mealRules") or {}
    excluded = set(center.get("mealReportExcludedStatuses", ("cancelled", "waitingList", "review")))
    excluded |= {"voided", "offer"} - set(rules.get("alsoCookFor") or [])
    zone = ZoneInfo(center["timezone"])
    return [Stay(one, zone) for one in records.get("booking", []) if one["status"] not in excluded]


def index(stays):
    """By day, the stays of it; by room and night, whether somebody sleeps there."""
    present, occupied = {}, set()
    for stay in stays:
        day = stay.first
        while day <= stay.last:
            present.setdefault(day, []).append(stay)
            if day < stay.last:
                occupied.add((stay.room(day), day))
            day += ONE
    return present, occupied


def expected(day, present, occupied, terms):
    rooms = {}

    def of(room):
        return rooms.setdefault(room, dict.fromkeys(COUNTS, 0))

    for room in terms:
        of(room)
    for stay in present.get(day, []):
        here = of(stay.room(day))
        here["guests"] += 1
        here["arriving"] += stay.first == day
        here["departing"] += stay.last == day
        here["tonight"] += stay.last > day
        if stay.first < day and stay.room(day - ONE) != stay.room(day):
            here["movingIn"] += 1
            of(stay.room(day - ONE))["movingOut"] += 1
    for room, found in rooms.items():
        free = None
        if room is not None:
            at = day
            while at <= day + timedelta(AHEAD) and (room, at) in occupied:
                at += ONE
            free = str(at) if at <= day + timedelta(AHEAD) else None
        term = terms.get(room, {})
        found.update(freeFrom=free, beds=term.get("beds"), name=term.get("name", room))
    return rooms


def read(path):
    records = {}
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            records.setdefault(record["kind"], []).append(record)
    return records


def answered(base, key, day):
    rooms, page = {}, 1
    while True:
        request = urllib.request.Request(
            f"{base}/v1/rooms?date={day}&length=100&start={page}", headers={"Authorization": "Bearer " + key}
        )
        with urllib.request.urlopen(request, timeout=120) as answer:
            body = json.loads(answer.read())
        for room in body["data"]:
            if room["id"] in rooms or room["date"] != str(day):
                raise SystemExit(f"{day}: {room} is repeated, or of another day")
            rooms[room["id"]] = room
        if len(rooms) >= body["total"] or not body["data"]:
            return rooms
        page += 1


def main(path, base, key, first, last):
    records = read(path)
    present, occupied = index(stays_of(records))
    terms = {one["id"]: one for one in records.get("term", []) if one["set"] == "room"}
    day, compared, different = date.fromisoformat(first), 0, 0
    while day <= date.fromisoformat(last):
        wanted, found = expected(day, present, occupied, terms), answered(base, key, day)
        for room in sorted(set(wanted) | set(found), key=str):
            mine = wanted.get(room)
            theirs = found.get(room) and {name: found[room][name] for name in mine or COUNTS}
            if room is None and theirs:
                theirs = {**theirs, "name": None}
            compared += 1
            if mine != theirs:
                different += 1
                if different <= 20:
                    print(f"{day} {room}: counted {mine}, answered {theirs}")
        day += ONE
    print(f"{compared} rooms of {first} to {last} compared, {different} different")
    sys.exit(1 if different else 0)


main(*sys.argv[1:])
