package httpapi

import (
	"net/http"
	"testing"
)

func TestCatchAlls(t *testing.T) {
	t.Parallel()
	heads := len(CatchAlls(false)) - 1 // of operations of other functions
	if all := CatchAlls(false); heads < 2 || all[heads].Key() != "$default" {
		t.Errorf("without pages of other origins: %v", all)
	}
	for _, preflights := range []bool{false, true} {
		for _, r := range CatchAlls(preflights)[:heads] {
			if r.Method != http.MethodHead || isCatchAll(r.Key()) || r.Function == Read || r.Public {
				t.Errorf("%+v is no route for HEAD that needs a token", r)
			}
		}
		for _, r := range CatchAlls(preflights)[heads:] {
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
