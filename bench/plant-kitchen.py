"""Gives a center random hours, packages, programs, diets, meal rules and meals of bookings, for bench/check-kitchen-and-books.py.

    python3 bench/plant-kitchen.py SEED RECORDS.ndjson[.gz] CENTER planted.ndjson changes.ndjson

`planted.ndjson` has the center's records with what is random added; `changes.ndjson` has 2,000 changes to its bookings and
customers, to import after it. The same seed makes the same files.
"""
import gzip
import json
import random
import sys
from datetime import date, timedelta

MEALS = ["breakfast", "lunch", "dinner"]
HOURS = ["00:00", "06:00", "07:29", "07:30", "08:30", "10:00", "11:00", "12:30", "13:59", "14:00", "15:00", "17:00"]
HOURS += ["18:30", "20:44", "20:45", "22:30", "23:59"]
TEXTS = ["vegan", "VEGAN ", "no nuts; vegan", "Nüsse", "none", "-", "keine", "egg-free", "vegetarian, none", " , "]
TEXTS += ["gluten | kosher", "glúten\nno nuts", "veggie", "", "no  nuts", "diabetic,egg-free,no nuts"]
VALUES = [
    {"value": "vegan"},
    {"value": "vegetarian", "otherSpellings": ["veggie"]},
    {"value": "no nuts", "otherSpellings": ["Nüsse"], "isAllergy": True},
    {"value": "gluten", "isAllergy": True},
    {"value": "none", "otherSpellings": ["-", "keine"], "isNone": True},
]
CHANGES = 2000


def subset(chosen, items):
    return [one for one in items if chosen.random() < 0.5]


def rules(chosen):
    found = {
        "mealTimes": {"breakfast": "07:30", "lunch": "12:30", "dinner": "18:30"},
        "mealEnds": {meal: end for meal, end in zip(MEALS, ("10:00", "14:00", "20:45")) if chosen.random() < 0.8},
        "arrivalMeals": subset(chosen, MEALS),
        "departureMeals": subset(chosen, MEALS),
        "daysNotServed": {"lunch": subset(chosen, ["sunday", "wednesday", "2016-12-24"])},
        "alsoCookFor": subset(chosen, ["voided", "offer"]),
        "dietFields": [
            {"field": "planted.diet", "values": VALUES},
            {"field": "planted.avoid", "allergies": ["no nuts", "vegan"]},
            {"field": "planted.celiac", "allergies": ["true"]},
        ],
    }
    if chosen.random() < 0.7:
        found["standardTimes"] = {"arrival": ["15:00"], "departure": ["11:00", "10:00"]}
    return found


def moment(chosen, day):
    if chosen.random() < 0.1:
        return day
    return f"{day}T{chosen.choice(HOURS)}" + chosen.choice(["", ":00", ":30"])


def stay(chosen, booking):
    """Hours of both sides, on the days that the stay has; a tenth are visits of one day."""
    first = booking["startDate"][:10]
    last = first if chosen.random() < 0.1 else booking["endDate"][:10]
    # As text: a date without an hour is before every hour of its day.
    begin, end = sorted((moment(chosen, first), moment(chosen, last))) if first == last else (moment(chosen, first), moment(chosen, last))
    return {"startDate": begin, "endDate": end}


def own_meals(chosen, booking):
    first = date.fromisoformat(booking["startDate"][:10])
    length = (date.fromisoformat(booking["endDate"][:10]) - first).days
    spans = []
    for _ in range(chosen.randint(1, 3)):
        begin = first + timedelta(days=chosen.randint(-1, max(0, length)))
        span = {"from": begin.isoformat(), "until": (begin + timedelta(days=chosen.randint(0, 5))).isoformat()}
        for name in ("only", "also"):
            if chosen.random() < 0.4:
                span[name] = subset(chosen, MEALS)
        if chosen.random() < 0.4 or len(span) == 2:
            span["guests"] = chosen.randint(1, 30)
        spans.append(span)
    return spans


def booking_fields(chosen, booking):
    fields = stay(chosen, booking)
    if chosen.random() < 0.7:
        fields["packageId"] = chosen.choice(["planted-half", "planted-bed", "planted-full", "planted-none", "plain text"])
    if chosen.random() < 0.2:
        fields["programId"] = chosen.choice(["planted-fast", "planted-all"])
    if chosen.random() < 0.15:
        fields["meals"] = own_meals(chosen, {**booking, **fields})
    meta = {}
    if chosen.random() < 0.3:
        meta["planted.avoid"] = chosen.choice(TEXTS)
    if chosen.random() < 0.2:
        meta["planted.celiac"] = chosen.random() < 0.5
    return {**fields, "meta": {**booking.get("meta", {}), **meta}}


def main(seed, path, center_id, planted_path, changes_path):
    chosen = random.Random(seed)
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        records = [one for one in map(json.loads, lines) if one.get("centerId", one.get("id")) == center_id]
    of = {"centerId": center_id}
    planted = []
    for record in records:
        if record["kind"] == "center":
            planted.append({**record, "mealRules": rules(chosen)})
            planted += [
                {"kind": "metaField", **of, "key": "planted.diet", "label": "Diet", "type": "string", "of": "customer"},
                {"kind": "metaField", **of, "key": "planted.avoid", "label": "Avoid", "type": "string", "of": "booking"},
                {"kind": "metaField", **of, "key": "planted.celiac", "label": "Celiac", "type": "boolean", "of": "booking"},
            ]
            for term_set, name, meals in (
                ("package", "half", ["breakfast", "dinner"]),
                ("package", "bed", ["breakfast"]),
                ("package", "none", []),
                ("package", "full", None),
                ("program", "fast", ["lunch"]),
                ("program", "all", MEALS),
            ):
                term = {"kind": "term", **of, "set": term_set, "id": f"planted-{name}", "name": name}
                planted.append(term if meals is None else {**term, "meals": meals})
        elif record["kind"] == "booking":
            planted.append({**record, **booking_fields(chosen, record)})
        elif record["kind"] == "customer" and chosen.random() < 0.5:
            planted.append({**record, "meta": {**record.get("meta", {}), "planted.diet": chosen.choice(TEXTS)}})
        else:
            planted.append(record)
    bookings = [one for one in planted if one["kind"] == "booking"]
    changes = []
    for booking in chosen.choices(bookings, k=CHANGES):
        key = {"kind": "booking", **of, "id": booking["id"]}
        kind = chosen.randrange(5)
        if kind == 0:
            changes.append({**key, **stay(chosen, booking)})
        elif kind == 1:
            changes.append({**key, "status": chosen.choice(["confirmed", "arrived", "departed", "cancelled", "voided", "offer"])})
        elif kind == 2:
            changes.append({**key, "meals": chosen.choice([None, own_meals(chosen, booking)])})
        elif kind == 3:
            changes.append({**key, "packageId": chosen.choice([None, "planted-half", "planted-bed", "planted-none"])})
        else:
            diet = {"planted.diet": chosen.choice([None, *TEXTS])}
            changes.append({"kind": "customer", **of, "id": booking["customerId"], "meta": diet})
    for path, found in ((planted_path, planted), (changes_path, changes)):
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in found)
    print(f"{len(planted)} records, {len(changes)} changes")


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(int(sys.argv[1]), *sys.argv[2:])
