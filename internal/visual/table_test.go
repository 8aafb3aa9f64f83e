package visual

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"unicode"
	"unicode/utf8"
)

// tableHash is the hash of the table that scripts/confusables wrote for Version.
const tableHash = "64db42ecc4ce1b05b31d609c56590201b51cb93708e8642a1c250fe23c11fb9c"

func TestVersion_IsThatOfTheTable(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte(table))
	if got := hex.EncodeToString(sum[:]); got != tableHash {
		t.Errorf("the table has the hash %s: after scripts/confusables, change Version and the hash", got)
	}
	if n := len(prototypes()); n != 5275 {
		t.Errorf("%d characters look like others, want the 5275 of Unicode %s", n, Version)
	}
	for r, to := range prototypes() {
		if to == "" || !utf8.ValidString(to) || unicode.IsSpace(r) {
			t.Errorf("%q looks like %q", r, to)
		}
	}
}
