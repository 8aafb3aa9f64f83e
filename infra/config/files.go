package config

import (
	"cmp"
	"regexp"
	"strings"

	shared "example.com/parley/internal/config"
)

const (
	// maxFileMB is the most that S3 accepts in one request, in MB.
	maxFileMB = 5_000
	// maxDayMB and maxDayFiles bound the price of a mistyped number.
	maxDayMB    = 1_000_000
	maxDayFiles = 100_000
	// maxFileRecoveryDays is as long as a table can be recovered. Later, no restore brings back the
	// messages of the files.
	maxFileRecoveryDays = maxRecoveryDays
)

// allTypes accepts files of all media types.
const allTypes = "*"

var (
	// mediaTypes matches a media type, all subtypes of a type, or allTypes.
	mediaTypes = regexp.MustCompile(`^(\*|[a-z0-9][a-z0-9!#$&^_.+-]*/(\*|[a-z0-9][a-z0-9!#$&^_.+-]*))$`)
	// bucketName matches the name of a bucket that can be a host name with TLS, which has no dots.
	bucketName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$`)
)

// over returns f, with defaults for the fields that are left out.
func (f Files) over() Files {
	f.MB, f.DayMB, f.DayCount = cmp.Or(
		f.MB, shared.FileMB,
	), cmp.Or(f.DayMB, shared.FileDayMB), cmp.Or(f.DayCount, shared.FileDayCount)
	if f.Types == nil {
		f.Types = []string{allTypes}
	}
	return f
}

func (f Files) check(p *problems) {
	p.within(f.MB, maxFileMB, "Files.MB")
	p.within(f.DayMB, maxDayMB, "Files.DayMB")
	p.refuse(
		f.DayMB < f.MB, "Files.DayMB", "must be at least Files.MB, %d, not %d: nobody could send the largest file",
		f.MB, f.DayMB,
	)
	p.within(f.DayCount, maxDayFiles, "Files.DayCount")
	p.refuse(
		f.RecoveryDays < 0 || f.RecoveryDays > maxFileRecoveryDays, "Files.RecoveryDays", "must be 0 to %d, not %d",
		maxFileRecoveryDays, f.RecoveryDays,
	)
	p.refuse(len(f.Types) == 0, "Files.Types", "must not be empty: leave it out to accept all types")
	for _, t := range f.Types {
		p.refuse(!mediaTypes.MatchString(t), "Files.Types", "must be media types in small letters such as %q, %q for "+
			"all of a kind, or %q alone, not %q",
			"application/pdf", "image/*", allTypes, t)
	}
	p.refuse(
		len(f.Types) > 1 && strings.Contains(" "+strings.Join(f.Types, " ")+" ", " "+allTypes+" "), "Files.Types",
		"must not list other types next to %q", allTypes,
	)
}
