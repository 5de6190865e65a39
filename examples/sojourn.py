#!/usr/bin/env python3
"""Five tasks with the Sojourn interface. Python 3.9 or newer, standard library only.

export SOJOURN_KEY=sjn_key_…            # and SOJOURN_URL, unless it is the demo
python3 sojourn.py todays-guests [DAY]
python3 sojourn.py kitchen-week FILE [DAY]
python3 sojourn.py orders-month MONTH   # 2025-01
python3 sojourn.py session-guests SESSION
python3 sojourn.py copy SESSION FILE
"""

import json
import os
import sys
import time
from datetime import date, datetime, timedelta
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen
from zoneinfo import ZoneInfo

BASE = os.environ.get("SOJOURN_URL", "http://127.0.0.1:8080")


# == Sending requests, and waiting as long as the answer says


class Refused(Exception):
    """An error of the interface. Decide by its code, show its message."""

    def __init__(self, error):
        problems = [detail["message"] for detail in error.get("details", [])] or [error["message"]]
        super().__init__(f"{error['code']}: {' '.join(problems)} ({error['docs']}, request {error['requestId']})")
        self.code = error["code"]


def ask(path, query={}, etag=None):
    """The answer and its ETag; None instead of an answer that has not changed since that ETag."""
    request = Request(f"{BASE}/v1{path}?{urlencode(query)}")
    request.add_header("Authorization", f"Bearer {os.environ['SOJOURN_KEY']}")
    if etag:
        request.add_header("If-None-Match", etag)
    for _ in range(10):
        try:
            with urlopen(request) as answer:
                return json.load(answer), answer.headers["ETag"]
        except HTTPError as refusal:
            if refusal.code == 304:
                return None, etag
            if refusal.code not in (429, 503):
                raise Refused(json.load(refusal)["error"])
            time.sleep(int(refusal.headers["Retry-After"]))
    raise SystemExit("The service is busy; try again later.")


def all_guests(query):
    """Every guest of all pages, once. If somebody came or left between two pages, it begins again."""
    while True:
        guests, totals, page = {}, set(), 1
        while True:
            answer, _ = ask("/guests", {**query, "start": page})
            totals.add(answer["total"])
            guests.update((guest["id"], guest) for guest in answer["data"])
            if not answer["data"] or len(guests) >= answer["total"]:
                break
            page += 1
        if totals == {len(guests)}:
            return list(guests.values())


def today():
    """The center's day, which need not be this machine's."""
    zone = ask("/me")[0]["center"]["timezone"]
    return datetime.now(ZoneInfo(zone)).date().isoformat()


# == Today's guests for a lab

COMING = {"registered", "registeredOnline", "confirmed", "arrived", "paid"}


def todays_guests(day=None):
    day = day or today()
    for guest in all_guests({"startDate": day, "endDate": day, "project": "id,name,dob,doctorName"}):
        # Raw values: the date at the top is text in some language.
        if guest["ids"]["status"] in COMING:
            print(guest["id"], guest["name"], guest["ids"]["dob"] or "", guest["doctorName"] or "", sep="\t")


# == The week's kitchen numbers


def kitchen_week(file, day=None):
    first = date.fromisoformat(day or today())
    days = [(first + timedelta(days=after)).isoformat() for after in range(7)]
    saved = json.load(open(file)) if os.path.exists(file) else {}
    if saved.get("first") != days[0]:
        saved = {}
    # A kitchen asks often, and skips change rarely: an answer that is still right is not sent again.
    query = {"startDate": days[0], "endDate": days[6]}
    report, etag = ask("/guests/meal-skipping-report", query, saved.get("etag"))
    if report is not None:
        saved = {"first": days[0], "etag": etag, "byDate": report["byDate"]}
        replace(file, saved)
    print("day", "breakfast", "lunch", "dinner", sep="\t")
    for each in days:
        meals = saved["byDate"].get(each, {})
        print(each, *(meals.get(meal, {"count": 0})["count"] for meal in ("breakfast", "lunch", "dinner")), sep="\t")


# == The month's orders to a CSV


def orders_month(month):
    year, number = map(int, month.split("-"))
    last = date(year + number // 12, number % 12 + 1, 1) - timedelta(days=1)
    query = {"startDate": f"{month}-01", "endDate": last.isoformat(), "includeGuestNames": "true"}
    orders, _ = ask("/orders", query)
    print('"uuid","orderNumber","orderDate","currency","totalAmount","status","paymentStatus","guestNames"')
    for order in orders:
        raw = order["ids"]
        cells = [order["uuid"], order["orderNumber"], raw["orderDate"], raw["currency"], raw["totalAmount"]]
        cells += [raw["status"], raw["paymentStatus"], order["guestNames"]]
        print(",".join(map(cell, cells)))


def cell(value):
    if value is None:
        return ""
    return '"' + value.replace('"', '""') + '"' if isinstance(value, str) else json.dumps(value)


# == Everybody of a session, with custom fields


def session_guests(session):
    fields = [field for field in ask("/fields")[0]["data"] if field["custom"] and field["readable"]]
    project = ",".join(["id", "name", *(field["name"] for field in fields)])
    for guest in all_guests({"sessionId": session, "project": project}):
        line = {"id": guest["id"], "name": guest["name"]}
        for field in fields:
            key = field["name"].removeprefix("meta.")
            # A field with a raw value has it in ids, under the same path.
            line[key] = (guest["ids"] if field["raw"] else guest)["meta"][key]
        print(json.dumps(line, ensure_ascii=False, separators=(",", ":")))


# == A copy that stays up to date


def copy(session, file):
    saved = json.load(open(file)) if os.path.exists(file) else None
    if saved:
        try:
            saved = follow(session, saved)
        except Refused as refusal:
            if refusal.code != "GONE":
                raise
            saved = None
    if saved is None:
        saved = read_everything(session)
    # The cursor and the guests in one file, replaced at once: they always belong together.
    replace(file, saved)
    print(len(saved["guests"]), "guests")


def list_of(session, **more):
    return all_guests({"sessionId": session, "project": "id,name,startDate,endDate,status", **more})


def read_everything(session):
    cursor = changes(session)[1]
    while True:
        guests = {guest["id"]: guest for guest in list_of(session)}
        moved, after = changes(session, cursor)
        if not moved:
            return {"cursor": cursor, "guests": guests}
        # Something changed while the pages were read, so somebody may be missing.
        cursor = after


def follow(session, saved):
    moved, cursor = changes(session, saved["cursor"])
    if any(one["operation"] == "readAgain" for one in moved):
        return None
    guests = dict(saved["guests"])
    for one in moved:
        if one["operation"] == "deleted":
            guests.pop(one["id"], None)
    if any(one["operation"] != "deleted" for one in moved):
        for guest in list_of(session, changedAfter=saved["cursor"]):
            guests[guest["id"]] = guest
    return {"cursor": cursor, "guests": guests}


def changes(session, after=None):
    """Everything that has changed among the session's guests since a cursor, and the cursor after it."""
    moved = []
    while True:
        query = {"kinds": "guests", "sessionId": session, **({"after": after} if after else {})}
        answer, _ = ask("/changes", query)
        moved += answer["data"]
        after = answer["cursor"]
        if not answer["more"]:
            return moved, after


def replace(file, value):
    with open(f"{file}.new", "w", encoding="utf-8") as new:
        json.dump(value, new, ensure_ascii=False)
    os.replace(f"{file}.new", file)


# == Choosing a task

TASKS = {
    "todays-guests": todays_guests,
    "kitchen-week": kitchen_week,
    "orders-month": orders_month,
    "session-guests": session_guests,
    "copy": copy,
}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in TASKS:
        raise SystemExit(__doc__)
    try:
        TASKS[sys.argv[1]](*sys.argv[2:])
    except Refused as refusal:
        raise SystemExit(str(refusal))
