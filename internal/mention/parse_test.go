package mention_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/mention"
)

func TestParse_NamesThePersonAtFault(t *testing.T) {
	var many []string
	for n := range chat.MaxMentions {
		many = append(many, fmt.Sprintf("u%02d", n))
	}
	for _, tt := range []struct {
		given []string
		field string
	}{
		{append(many, "one-more"), "mentions"}, {[]string{""}, "mentions[0]"}, {[]string{"bob", "a#b"}, "mentions[1]"},
		{[]string{"bob", "eve", "bob"}, "mentions[2]"}, {[]string{"me"}, "mentions[0]"},
		{[]string{strings.Repeat("x", chat.MaxUserID+1)}, "mentions[0]"},
	} {
		_, err := mention.Parse(tt.given)
		var e *chat.Error
		if !errors.As(err, &e) || e.Kind != chat.Invalid || e.Field != tt.field {
			t.Errorf("%q: %v, want the field %s", tt.given, err, tt.field)
		}
	}
	slices.Reverse(many)
	got, err := mention.Parse(many)
	if err != nil || len(got) != chat.MaxMentions || !slices.IsSorted(got) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := mention.Parse([]string{}); got != nil || err != nil {
		t.Errorf("nobody is %q, %v", got, err)
	}
}
