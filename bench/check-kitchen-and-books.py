"""Portions and the control of orders, counted a second time: in another language and straight from the records of an export.

    sojourn export --center demo > demo.ndjson
    python3 bench/check-kitchen-and-books.py demo.ndjson http://127.0.0.1:8080 "$SOJOURN_KEY" 2026-01-01 2026-12-31

It knows the rules from docs/api-design.md and docs/records.md and shares nothing with the service. It prints what was
compared, and each difference; it ends with 1 if there is one. The key reads everything.
"""
import gzip
import json
import re
import sys
import unicodedata
import urllib.request
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from zoneinfo import ZoneInfo

MEALS = ("breakfast", "lunch", "dinner")
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DECIMALS = {"JPY": 0, "KRW": 0, "HUF": 2, "KWD": 3}


def without_nulls(value):
    """Null clears a field: a record says the same without it."""
    if isinstance(value, dict):
        return {name: without_nulls(child) for name, child in value.items() if child is not None}
    return [without_nulls(child) for child in value] if isinstance(value, list) else value


def read(path, center_id):
    records = {}
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = without_nulls(json.loads(line, parse_float=Decimal))
            if record.get("centerId", record.get("id")) == center_id:
                records.setdefault(record["kind"], []).append(record)
    return records


def get(base, key, path):
    request = urllib.request.Request(base + path, headers={"Authorization": "Bearer " + key})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.loads(answer.read(), parse_float=Decimal)


def days(first, last):
    day = first
    while day <= last:
        yield day
        day += timedelta(days=1)


class Center:
    def __init__(self, records):
        self.record = records["center"][0]
        self.zone = ZoneInfo(self.record["timezone"])
        self.records = records
        self.rules = self.record.get("mealRules", {})
        self.customers = {one["id"]: one for one in records.get("customer", [])}
        self.owners = {one["key"]: one["of"] for one in records.get("metaField", [])}
        self.types = {one["key"]: one["type"] for one in records.get("metaField", [])}
        self.term_meals = {(one["set"], one["id"]): one["meals"] for one in records.get("term", []) if "meals" in one}
        self.known = {}
        for entry in self.rules.get("dietFields", []):
            if "values" in entry:
                self.known[entry["field"]] = {
                    folded(text): (value["value"], "allergy" if value.get("isAllergy") else "none" if value.get("isNone") else "diet")
                    for value in entry["values"]
                    for text in (value["value"], *value.get("otherSpellings", []))
                }

    def day(self, moment):
        return datetime.fromisoformat(moment.replace("Z", "+00:00")).astimezone(self.zone).date()

    def local(self, moment):
        return datetime.fromisoformat(moment.replace("Z", "+00:00")).astimezone(self.zone)

    def hour(self, moment, standard):
        """Local wall time, or None if it says nothing: the first moment of its day, or a standard time."""
        local = self.local(moment)
        before = (local.astimezone(ZoneInfo("UTC")) - timedelta(milliseconds=1)).astimezone(self.zone)
        if before.date() != local.date():
            return None
        if local.strftime("%H:%M:%S.%f") in [f"{time}:00.000000" for time in standard]:
            return None
        return local.time()

    def own_diets(self, booking):
        """The parts of the booking's diets, and whether anybody was asked."""
        found, asked = [], False
        for entry in self.rules.get("dietFields", []):
            field = entry["field"]
            of = self.customers[booking["customerId"]] if self.owners[field] == "customer" else booking
            value = of.get("meta", {}).get(field)
            if value is None:
                continue
            if field in self.known and self.types[field] == "string":
                parts = [part.strip() for part in re.split("[,;|\n\r]", value) if part.strip()]
                asked = asked or bool(parts)
                for part in parts:
                    text, kind = self.known[field].get(folded(part), (part, "unknown"))
                    if kind != "none" and (field, text, kind) not in found:
                        found.append((field, text, kind))
                continue
            if value is not False and not str(value).strip():
                continue
            asked = True
            if value is not False:
                text = "true" if value is True else str(value).strip()
                found.append((field, text, "allergy" if text in entry.get("allergies", []) else "diet"))
        return found, asked

    def diets(self, booking):
        """The rows that count the booking."""
        if not self.rules.get("dietFields"):
            return []
        found, asked = self.own_diets(booking)
        if found:
            return found
        if not asked:
            return [(None, None, "notAsked")]
        return [(None, None, "none")] if self.known else []

    def decide(self, booking, day, meal):
        """Why the booking does not have the meal on a day of its stay, from the third step on; None: it has."""
        rules = self.rules
        begin, end = rules.get("mealTimes", {}).get(meal), rules.get("mealEnds", {}).get(meal)
        standard = rules.get("standardTimes", {})
        out = None
        if day == self.day(booking["startDate"]):
            hour = self.hour(booking["startDate"], standard.get("arrival", []))
            if begin and end and hour is not None:
                out = "arrivesAfter" if hour >= clock(end) else None
            elif meal not in rules.get("arrivalMeals", ["dinner"]):
                out = "arrivalDay"
        if out is None and day == self.day(booking["endDate"]):
            hour = self.hour(booking["endDate"], standard.get("departure", []))
            if begin and end and hour is not None:
                out = "leavesBefore" if hour <= clock(begin) else None
            elif meal not in rules.get("departureMeals", ["breakfast"]):
                out = "departureDay"
        for term_set, field in (("package", "packageId"), ("program", "programId")):
            if out is None and meal not in self.term_meals.get((term_set, booking.get(field)), MEALS):
                out = term_set
        own = [one for one in booking.get("meals", []) if one["from"] <= day.isoformat() <= one["until"]]
        if out is not None:
            return None if any(meal in one.get("also", []) for one in own) else out
        return "ownMeals" if any("only" in one and meal not in one["only"] for one in own) else None

    def additional(self, booking, day):
        own = [one for one in booking.get("meals", []) if one["from"] <= day.isoformat() <= one["until"]]
        return sum(one.get("guests", 0) for one in own)


def clock(time):
    return datetime.strptime(time, "%H:%M").time()


def folded(text):
    """Without case, accents and outer spaces."""
    letters = unicodedata.normalize("NFD", text.strip())
    return "".join(one for one in letters if not "\u0300" <= one <= "\u036f").casefold()


def portions(center, first, last):
    """By day: meal counts, and portions by kind of row and its key."""
    rules, record = center.rules, center.record
    closed = rules.get("daysNotServed", {})
    excluded = record.get("mealReportExcludedStatuses", ["cancelled", "waitingList", "review"])
    told = [one for one in ("voided", "offer") if one not in rules.get("alsoCookFor", [])]
    counted = {}
    for day in days(first, last):
        counted[day] = {"meals": {m: {"present": 0, "skipping": 0, "portions": 0, "additional": 0, "told": {}} for m in MEALS}, "rows": {}, "guests": {}}
    for booking in center.records.get("booking", []):
        if booking["status"] in excluded:
            continue
        begin, end = center.day(booking["startDate"]), center.day(booking["endDate"])
        skips = booking.get("skippingMeals", {})
        for day in days(max(begin, first), min(end, last)):
            without, eaten, more = {}, [], center.additional(booking, day)
            for meal in MEALS:
                names = closed.get(meal, [])
                served = day.isoformat() not in names and WEEKDAYS[day.weekday()] not in names
                out = center.decide(booking, day, meal)
                skipped = day.isoformat() in skips.get(meal, [])
                why = "notServed" if not served else out or ("skips" if skipped else None)
                if why is None:
                    eaten.append(meal)
                else:
                    without[meal] = why
                if out is not None:
                    continue
                count = counted[day]["meals"][meal]
                if booking["status"] in told:
                    count["told"][booking["status"]] = count["told"].get(booking["status"], 0) + 1
                    continue
                count["present"] += 1
                count["skipping"] += skipped
                if why is not None:
                    continue
                count["portions"] += 1 + more
                count["additional"] += more
                keys = [("role", booking["role"]), ("program", booking.get("programId"))]
                keys.append(("room", booking.get("acc", {}).get("roomId")))
                keys = [(key, 1 + more) for key in keys] + [(("diet", diet), 1) for diet in center.diets(booking)]
                if more and rules.get("dietFields"):
                    keys.append((("diet", (None, None, "notAsked")), more))
                for key, plates in keys:
                    row = counted[day]["rows"].setdefault(key, dict.fromkeys(MEALS, 0))
                    row[meal] += plates
            if booking["status"] not in told:
                counted[day]["guests"][booking["id"]] = (tuple(eaten), more if eaten else 0, tuple(sorted(without.items())))
    return counted


def kind_of(row):
    return row.get("kind") or ("notAsked" if row["field"] is None else "allergy" if row["allergy"] else "diet")


def listed(day):
    """Each guest with the meals, the people without a name, and the reasons."""
    return {
        one["id"]: (
            tuple(one["eats"]),
            one.get("additional", 0),
            tuple(sorted((without["meal"], without["reason"]) for without in one["without"])),
        )
        for one in day["guestList"]
    }


def answered(day):
    rows = {}
    for kind, name in (("role", "byRole"), ("program", "byProgram"), ("room", "byRoom"), ("diet", "byDiet")):
        for row in day[name]:
            key = (row["field"], row["value"], kind_of(row)) if kind == "diet" else row[kind]
            plates = {meal: row[meal] for meal in MEALS}
            if any(plates.values()):
                rows[(kind, key)] = plates
    meals = {
        meal: {
            **{name: count.get(name, 0) for name in ("present", "skipping", "portions", "additional")},
            "told": {status: n["present"] for status, n in count["notCookedFor"].items() if n["present"]},
        }
        for meal, count in day["meals"].items()
    }
    return {"meals": meals, "rows": rows}


def control(center, first, last):
    totals, wrong = {}, {}
    guests = {}
    for booking in center.records.get("booking", []):
        guests.setdefault(booking.get("orderUuid"), []).append(booking)
    sessions = {one["id"]: (center.day(one["startDate"]), center.day(one["endDate"])) for one in center.records.get("session", [])}
    for order in center.records.get("order", []):
        day = center.day(order["orderDate"])
        if not first <= day <= last:
            continue
        currency = order.get("currency", center.record["currency"])
        total = Decimal(order["totalAmount"])
        for key in ((currency,), (currency, "status", order["status"]), (currency, "day", day.isoformat())):
            count, amount = totals.get(key, (0, Decimal(0)))
            totals[key] = (count + 1, amount + total)
        kinds = set()
        unit = Decimal(1).scaleb(-DECIMALS.get(currency, 2))
        items = order.get("items", [])
        rounded = [x.quantize(unit, ROUND_HALF_UP) for x in (total, sum((Decimal(i["quantity"]) * Decimal(i["price"]) for i in items), Decimal(0)))]
        if items and rounded[0] != rounded[1]:
            kinds.add("totalDiffersFromItems")
        own = guests.get(order["uuid"], [])
        main = [one for one in own if one.get("isOrderMainGuest")]
        if not own:
            kinds.add("noGuests")
        elif not main:
            kinds.add("noMainGuest")
        spans = [sessions[s] for one in (main or own) for s in one.get("sessionIds", [])]
        for one in own:
            stay = center.day(one["startDate"]), center.day(one["endDate"])
            if spans and one["status"] not in ("cancelled", "voided") and not any(stay[1] >= a and stay[0] <= b for a, b in spans):
                kinds.add("stayOutsideSession")
        paid = lambda what: sum((Decimal(one.get("financial", {}).get(what, {}).get("amount", 0)) for one in own), Decimal(0))
        says = order.get("paymentStatus", order["status"]).replace("_", "").lower()
        if says == "paid" and paid("deposit") <= 0 and paid("fullPayment") <= 0:
            kinds.add("paidWithoutPayment")
        if says == "unpaid" and paid("deposit") > 0:
            kinds.add("depositButUnpaid")
        if kinds:
            wrong[order["uuid"]] = kinds
    loose = {
        one["id"]
        for one in guests.get(None, [])
        if first <= center.day(one["startDate"]) <= last and Decimal(one.get("financial", {}).get("deposit", {}).get("amount", 0)) > 0
    }
    return totals, wrong, loose


def main(path, base, key, first, last):
    first, last = date.fromisoformat(first), date.fromisoformat(last)
    center = Center(read(path, get(base, key, "/v1/me")["center"]["id"]))
    query = f"startDate={first}&endDate={last}"
    differences = 0

    def compare(what, mine, theirs):
        nonlocal differences
        if mine != theirs:
            differences += 1
            print("DIFFERENT", what, "counted", mine, "answered", theirs)

    mine = portions(center, first, last)
    theirs = {date.fromisoformat(day["date"]): answered(day) for day in get(base, key, "/v1/meals/portions?" + query)["days"]}
    compare("days", sorted(mine), sorted(theirs))
    rows = 0
    for day in mine:
        compare(f"{day} meals", mine[day]["meals"], theirs[day]["meals"])
        for row in {**mine[day]["rows"], **theirs[day]["rows"]}:
            rows += 1
            compare(f"{day} {row}", mine[day]["rows"].get(row), theirs[day]["rows"].get(row))
    plates = sum(day["meals"][meal]["portions"] for day in mine.values() for meal in MEALS)
    print(f"portions: {len(mine)} days, {plates} plates, {rows} rows")

    names, sheets, begin = 0, 0, first
    while begin <= last:
        end = min(begin + timedelta(days=30), last)
        listing = f"/v1/meals/portions?startDate={begin}&endDate={end}&includeGuests=true&includeReasons=true"
        for day in get(base, key, listing)["days"]:
            at = date.fromisoformat(day["date"])
            found = listed(day)
            for guest in {**mine[at]["guests"], **found}:
                names += 1
                compare(f"{at} guest {guest}", mine[at]["guests"].get(guest), found.get(guest))
            for meal in MEALS:
                portions_ = sum(1 + more for eats, more, _ in found.values() if meal in eats)
                compare(f"{at} names of {meal}", day["meals"][meal]["portions"], portions_)
        begin = end + timedelta(days=1)
    # The walls and sheets of the days: the same numbers, by way of what a sheet stores.
    for day in days(first, last):
        sheets += 1
        stored = answered(get(base, key, f"/v1/meals/sheets/{day}?sheet=wall")["day"])
        compare(f"{day} sheet", {**mine[day], "guests": None}, {**stored, "guests": None})
    print(f"names: {names} guests of a day with their reasons; {sheets} sheets")

    totals, wrong, loose = control(center, first, last)
    books = get(base, key, "/v1/orders/control?includePayments=true&" + query)
    found = {}
    for one in books["currencies"]:
        found[(one["currency"],)] = (one["orders"], Decimal(one["total"]))
        for row in one["byStatus"]:
            found[(one["currency"], "status", row["status"])] = (row["orders"], Decimal(row["total"]))
        for row in one["byDay"]:
            found[(one["currency"], "day", row["date"])] = (row["orders"], Decimal(row["total"]))
    for key_ in {**totals, **found}:
        compare(f"total {key_}", totals.get(key_), found.get(key_))
    kinds = {one["uuid"]: {problem["kind"] for problem in one["problems"]} for one in books["mismatches"]}
    compare("number of orders that do not fit", len(wrong), books["doNotFit"])
    compare("number of deposits without an order", len(loose), books["looseDeposits"])
    for uuid in kinds:
        compare(f"order {uuid}", wrong.get(uuid), kinds[uuid])
    compare("deposits without an order", {one["guestId"] for one in books["depositsWithoutOrder"]} <= loose, True)
    print(f"orders: {books['orders']} orders, {len(totals)} totals, {len(wrong)} do not fit, {len(loose)} deposits without an order")
    print("no difference" if differences == 0 else f"{differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
