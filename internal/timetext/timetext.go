// Package timetext writes and reads times in UTC with milliseconds, in the two forms that keys and
// answers have, and reads prefixes of times. It is pure.
//
// A page writes some three hundred of them. time.Time.Format interprets its layout each time, which
// takes five times as many instructions.
package timetext

import (
	"errors"
	"time"
)

// width is the length of a time: 2018-08-29T12:00:00.123.
const width = len("2006-01-02T15:04:05.000")

const decimal = "0123456789"

// lastYear is the last year of four digits.
const lastYear = 9999

// Text returns t with the given byte between day and time, and with end after it. Years that have
// not four digits are written as by time.Time.Format.
func Text(t time.Time, between byte, end string) string {
	t = t.UTC()
	year, month, day := t.Date()
	if year < 0 || year > lastYear {
		return t.Format("2006-01-02" + string(between) + "15:04:05.000" + end)
	}
	hour, minute, second := t.Clock()
	b := make([]byte, width, width+len(end))
	digits(b[0:2], year/100)
	digits(b[2:4], year%100)
	b[4] = '-'
	digits(b[5:7], int(month))
	b[7] = '-'
	digits(b[8:10], day)
	b[10] = between
	digits(b[11:13], hour)
	b[13] = ':'
	digits(b[14:16], minute)
	b[16] = ':'
	digits(b[17:19], second)
	b[19] = '.'
	ms := t.Nanosecond() / int(time.Millisecond)
	b[20] = decimal[ms/100]
	digits(b[21:23], ms%100)
	return string(append(b, end...))
}

// digits writes a number below 100.
func digits(b []byte, n int) { b[0], b[1] = decimal[n/10], decimal[n%10] }

// Parse reads the result of Text without an end, and reports whether s is one.
func Parse(s string, between byte) (time.Time, bool) {
	if len(s) != width {
		return time.Time{}, false
	}
	year := number(s[0:4])
	month, day := number(s[5:7]), number(s[8:10])
	hour, minute, second := number(s[11:13]), number(s[14:16]), number(s[17:19])
	t := time.Date(year, time.Month(month), day, hour, minute, second, number(s[20:23])*int(time.Millisecond), time.UTC)
	return t, Text(t, between, "") == s // also refuses other bytes, and days that do not exist
}

// number returns the value of digits, and a meaningless value for other bytes.
func number(s string) int {
	n := 0
	for _, b := range []byte(s) {
		n = 10*n + int(b) - '0'
	}
	return n
}

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
