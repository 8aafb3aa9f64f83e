package timetext

import (
	"errors"
	"time"
)

// The errors of ParsePrefix. Their texts complete a sentence about the prefix.
var (
	errPrefixForm = errors.New("must be a prefix of yyyy-MM-dd:HH:mm:ss that ends with a whole field")
	errPrefixTime = errors.New("must be the beginning of an existing time")
)

// prefixes are the formats of a prefix, each with the step to the end of its range.
var prefixes = []struct {
	layout              string
	years, months, days int
	rest                time.Duration
}{
	{layout: "2006", years: 1},
	{layout: "2006-01", months: 1},
	{layout: "2006-01-02", days: 1},
	{layout: "2006-01-02:15", rest: time.Hour},
	{layout: "2006-01-02:15:04", rest: time.Minute},
	{layout: "2006-01-02:15:04:05", rest: time.Second},
}

// ParsePrefix returns the half-open range of the times in UTC that begin with a prefix.
func ParsePrefix(s string) (from, to time.Time, err error) {
	for _, p := range prefixes {
		if len(p.layout) != len(s) {
			continue
		}
		from, err := time.Parse(p.layout, s)
		if err != nil || from.Year() < 1 {
			return time.Time{}, time.Time{}, errPrefixTime
		}
		return from, from.AddDate(p.years, p.months, p.days).Add(p.rest), nil
	}
	return time.Time{}, time.Time{}, errPrefixForm
}
