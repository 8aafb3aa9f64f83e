package httpapi

import (
	"net/http"
	"testing"
)

func TestCatchAlls(t *testing.T) {
	t.Parallel()
	if all := CatchAlls(false); len(all) != 1 || all[0].Key() != "$default" {
		t.Errorf("without pages of other origins: %v", all)
	}
	for _, preflights := range []bool{false, true} {
		for _, r := range CatchAlls(preflights) {
			if !isCatchAll(r.Key()) || r.Function != Read || r.Public {
				t.Errorf("%+v is no catch-all of the read function that needs a token", r)
			}
			if preflights && (r.Method == "" || r.Method == http.MethodOptions) {
				t.Errorf("%s takes preflights, which API Gateway answers only where no route does", r.Key())
			}
		}
	}
	for _, r := range Routes() {
		if isCatchAll(r.Key()) {
			t.Errorf("%s is taken for a catch-all", r.Key())
		}
	}
}
