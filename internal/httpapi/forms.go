package httpapi

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

const (
	uuidPattern = "[0-9a-dA-D][0-9a-fA-F]{7}-[0-9a-fA-F]{4}-7[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}"
	userPattern = "[A-Za-z0-9._@|:+=-]{1,64}"
)

// form is how the document describes a format of this package.
type form struct{ format, pattern string }

// forms are the formats of ids, times, cursors and ETags in requests. huma does not know their
// names and leaves the checks to the domain, which names the violated rule. The document has
// patterns, so that clients and tests can generate valid values.
//
// A pattern may refuse values that nobody sends, such as UUIDs of the year 9783 and later.
var forms = map[string]form{
	"instant":              {format: "date-time"}, // parseTime accepts more than huma
	"slug":                 {pattern: "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$"},
	"user-id":              {pattern: "^" + userPattern + "$"},
	"device-id":            {pattern: "^[A-Za-z0-9._-]+$"},
	"uuidv7":               {format: "uuid", pattern: "^" + uuidPattern + "$"},
	"message-id":           {pattern: "^" + uuidPattern + "~" + userPattern + "$"},
	"own-message-id":       {pattern: "^" + uuidPattern + "(~" + userPattern + ")?$"},
	"report-id":            {pattern: "^" + uuidPattern + "~" + userPattern + "~" + userPattern + "$"},
	"answer-id":            {pattern: "^(none|[A-Za-z0-9_-]{22})$"},
	"hook-id":              {pattern: "^[a-z0-9-]{1,40}$"},
	"invite-id":            {pattern: "^[0-9a-f]{32}$"},
	"invite-token":         {pattern: "^[a-z2-7]{32}$"},
	"incoming-id":          {pattern: "^[0-9a-f]{32}$"},
	"incoming-secret":      {pattern: "^[0-9a-f]{32}[a-z2-7]{52}$"},
	"emoji":                {pattern: `^[^\x00-\x22\x24-\x29\x2b-\x2f\x3a-\x7f]+$`}, // only keycaps contain ASCII
	"cursor":               {pattern: "^[A-Za-z0-9_-]+$"},
	"uuidv7-or-quoted":     {pattern: `^"?` + uuidPattern + `"?$`},
	"one-etag":             {pattern: `^"[1-9][0-9]{0,8}"$`},
	"etag-or-any":          {pattern: `^(\*|"[1-9][0-9]{0,8}")$`},
	"settings-etag-or-any": {pattern: `^(\*|` + strings.Trim(settingsETags.String(), "^$") + `)$`},
	"etags":                {pattern: `^.*$`}, // a value that is no list of ETags matches none
	"time-prefix":          {pattern: "^[0-9]{4}(-[0-9]{2}(-[0-9]{2}(:[0-9]{2}){0,3})?)?$"},
}

// documentForms replaces the names of forms in a document by their formats and patterns. It also
// states that query parameters are not empty, as checkQuery requires, and not null, which huma
// permits for arrays.
func documentForms(document *huma.OpenAPI) {
	replace := func(s *huma.Schema) {
		if f, ok := forms[s.Format]; ok {
			s.Format, s.Pattern = f.format, f.pattern
		}
	}
	for _, s := range document.Components.Schemas.Map() {
		walk(s, replace)
	}
	for _, op := range described(document) {
		for _, p := range op.Parameters {
			walk(p.Schema, replace)
			p.Schema.Nullable = false
			if p.In == "query" {
				forbidEmpty(p.Schema)
			}
		}
	}
}

// forbidEmpty states that a parameter is not empty, unless its schema already does.
func forbidEmpty(s *huma.Schema) {
	one := 1
	switch {
	case s.Type == huma.TypeArray:
		s.MinItems = &one
		forbidEmpty(s.Items)
	case s.Type == huma.TypeString && s.Pattern == "" && s.Format == "" && len(s.Enum) == 0:
		s.MinLength = &one
	}
}
