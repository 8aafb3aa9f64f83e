package stack

import (
	"fmt"
	"strings"
	"testing"

	"example.com/parley/internal/httpapi"
)

func TestPublicThrottles_BoundTheCost(t *testing.T) {
	tooMany := httpapi.Routes()
	for n := range 11 {
		tooMany = append(tooMany, httpapi.Route{Method: "GET", Path: fmt.Sprint("/schema", n), Function: httpapi.Read, Public: true})
	}
	for _, c := range []struct {
		name      string
		routes    []httpapi.Route
		rate, sum int
		refused   string
	}{
		{name: "as the API is", routes: httpapi.Routes(), rate: 10_000, sum: 20},
		{name: "an API with a low rate", routes: httpapi.Routes(), rate: 1, sum: 13},
		{name: "a document too many", routes: tooMany, rate: 10_000, refused: "31 requests a second"},
		{name: "an API without requests", routes: httpapi.Routes(), refused: "allows no request"},
	} {
		got, err := publicThrottles(c.routes, c.rate)
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s: error %v, want one with %q", c.name, err, c.refused)
			}
			continue
		}
		sum := 0
		for _, limit := range got {
			sum += limit.rate
		}
		if err != nil || sum != c.sum {
			t.Errorf("%s: %d requests a second, want %d: %v, %v", c.name, sum, c.sum, got, err)
		}
	}
}
