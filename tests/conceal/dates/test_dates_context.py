import itertools
from datetime import date

from shifting import shift_all

from innominate.conceal.dates import parse_date, parse_dates


def test_the_note_decides_which_number_is_the_day():
    assert shift_all(["05/04/2022"], "en", 7) == ["05/11/2022"]
    assert shift_all(["05/04/2022", "18/03/2022"], "en", 7) == ["12/04/2022", "25/03/2022"]
    assert shift_all(["05/04/2022", "03/18/2022"], "es", 7) == ["05/11/2022", "03/25/2022"]


def test_separators_may_have_orders_of_their_own():
    assert shift_all(["3/4-22", "22-05-06", "5/4"], "sv", 7) == ["10/4-22", "22-05-13", "12/4"]


def test_padding_is_that_of_the_note():
    assert shift_all(["18.12.2022", "1.2.2022"], "fr", -280)[0] == "13.3.2022"
    assert shift_all(["18.12.2022", "01.02.2022"], "fr", -280)[0] == "13.03.2022"
    assert shift_all(["18/12/22", "1/2/22"], "es", -280)[0] == "13/3/22"


def test_short_months_stay_short_where_the_word_does_not_tell():
    assert shift_all(["3 mai 2022", "4 sept. 2022"], "fr", 7 * 20)[0] == "20 sept. 2022"
    assert shift_all(["May 3, 2022", "Sep 4, 2022"], "en", 7 * 20)[0] == "Sep 20, 2022"
    assert shift_all(["3 mai 2022", "4 septembre 2022"], "fr", 7 * 20)[0] == "20 septembre 2022"


def test_a_note_without_accents_gets_none():
    assert shift_all(["3 fevrier 2022", "3 mars 2022"], "fr", 7 * 24) == ["21 juillet 2022", "18 aout 2022"]


def test_a_part_of_a_date_goes_where_the_full_date_goes():
    for weeks in range(-260, 261):
        if weeks:
            full, month, year, season = shift_all(["31.03.2022", "mars 2022", "2022", "printemps 2022"], "fr", 7 * weeks)
            moved = date.fromisoformat("-".join(reversed(full.split("."))))
            assert parse_date(month, "fr").days[0] == moved.replace(day=1)
            assert int(year) == moved.year
            assert season.endswith(str(moved.year))


def test_parts_alone_move_by_the_same_number_of_months_and_years():
    for weeks in (-200, -77, 53, 100, 259):
        months = shift_all(["janvier 2020", "mars 2021", "décembre 2021"], "fr", 7 * weeks)
        places = [parse_date(text, "fr").days[0] for text in months]
        gaps = [(b.year - a.year) * 12 + b.month - a.month for a, b in itertools.pairwise(places)]
        assert gaps == [14, 9]
        years = [int(text) for text in shift_all(["1999", "2004", "2010"], "fr", 7 * weeks)]
        assert [b - a for a, b in itertools.pairwise(years)] == [5, 6]


def test_a_year_goes_with_a_month_of_that_year():
    month, year = shift_all(["novembre 2018", "2018"], "fr", 7 * 74)
    assert (month, year) == ("avril 2020", "2020")


def test_a_day_without_its_year_is_that_of_the_note():
    assert shift_all(["28.02.2020", "29.02", "01.03."], "fr", 364) == ["26.02.2021", "27.02", "28.02."]
    assert shift_all(["28.02.2019", "01.03."], "fr", 364) == ["27.02.2020", "28.02."]


def test_a_day_near_new_year_takes_the_nearer_year():
    texts = ["12.01.2020", "28.12", "05.02"]
    assert [found.days[0].year for found in parse_dates(texts, "fr")] == [2020, 2019, 2020]


def test_a_weekday_with_a_day_tells_the_month():
    found = parse_dates(["20.06.2022", "mercredi 11"], "fr")
    assert found[1].days == (date(2022, 5, 11),)


def test_a_number_alone_belongs_to_the_next_date():
    assert shift_all(["5", "9 mars", "12.03.2021"], "fr", 7 * 4) == ["2", "6 avril", "09.04.2021"]
    assert shift_all(["29", "2 mars", "12.03.2020"], "fr", 7) == ["7", "9 mars", "19.03.2020"]


def test_two_digits_are_the_latest_year_the_note_can_mean():
    found = parse_dates(["03.04.2012", "01.01.30", "02.02.11"], "fr")
    assert [expression.days[0].year for expression in found] == [2012, 1930, 2011]


def test_holidays_are_written_as_the_note_writes_dates():
    texts = ["3 janv. 2021", "Noël 2020", "Pâques"]
    assert shift_all(texts, "fr", 7 * 52) == ["2 janv. 2022", "24 déc. 2021", "3 avril"]
    assert shift_all(["Christmas"], "en", -7 * 52)[0].startswith("December ")


def test_a_birth_date_keeps_the_birth_year_with_it():
    assert shift_all(["30.12.1950", "1950"], "fr", 7 * 53) == ["05.01.1952", "1952"]
