package timetext

import (
	"errors"
	"testing"
	"time"
)

func TestParsePrefix_IsAHalfOpenRange(t *testing.T) {
	for prefix, want := range map[string][2]string{
		"2018":                {"2018-01-01T00:00:00Z", "2019-01-01T00:00:00Z"},
		"9999":                {"9999-01-01T00:00:00Z", ""},
		"2018-12":             {"2018-12-01T00:00:00Z", "2019-01-01T00:00:00Z"},
		"2016-02":             {"2016-02-01T00:00:00Z", "2016-03-01T00:00:00Z"},
		"2018-01-31":          {"2018-01-31T00:00:00Z", "2018-02-01T00:00:00Z"},
		"2018-08-29:23":       {"2018-08-29T23:00:00Z", "2018-08-30T00:00:00Z"},
		"2018-08-29:12:59":    {"2018-08-29T12:59:00Z", "2018-08-29T13:00:00Z"},
		"2018-08-29:12:59:59": {"2018-08-29T12:59:59Z", "2018-08-29T13:00:00Z"},
	} {
		from, to, err := ParsePrefix(prefix)
		if err != nil {
			t.Errorf("%s: %v", prefix, err)
			continue
		}
		if from.Format(time.RFC3339) != want[0] || want[1] != "" && to.Format(time.RFC3339) != want[1] || want[1] == "" && to.Year() != 10000 {
			t.Errorf("%s is %v to %v, want %v", prefix, from, to, want)
		}
	}
}

func TestParsePrefix_RefusesOtherTexts(t *testing.T) {
	for _, prefix := range []string{
		"1", "20", "201", "20180", "2018-", "2018-8", "2018-00", "2018-13", "2018-02-30", "2017-02-29", "2018-04-31", "2018-08-29:", "2018-08-29:1",
		"2018-08-29:24", "2018-08-29T12", "2018-08-29:12:60", "2018-08-29:12:00:60", "2018-08-29:12:00:00.1", "0000", "2018#08", "abcd", "-201", "２０", " 2018", "2018-08-29 12",
	} {
		if from, to, err := ParsePrefix(prefix); !errors.Is(err, errPrefixForm) && !errors.Is(err, errPrefixTime) {
			t.Errorf("%q is %v to %v, %v", prefix, from, to, err)
		}
	}
}
