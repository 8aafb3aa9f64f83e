package visual

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"unicode"
	"unicode/utf8"
)

// tableHash is the hash of the table that scripts/confusables wrote for Version.
const tableHash = "6c9e96355b0f211ea445dcee2d2cc0c74529bea80f304668e14354f158c80f20"

func TestVersion_IsThatOfTheTable(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte(table))
	if got := hex.EncodeToString(sum[:]); got != tableHash {
		t.Errorf("the table has the hash %s: after scripts/confusables, change Version and the hash", got)
	}
	if n := len(prototypes()); n != 5283 {
		t.Errorf("%d characters look like others, want the 5283 of Unicode %s", n, Version)
	}
	for r, to := range prototypes() {
		if to == "" || !utf8.ValidString(to) || unicode.IsSpace(r) {
			t.Errorf("%q looks like %q", r, to)
		}
	}
}
