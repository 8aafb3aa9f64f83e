package invite_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/invite"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

// beforeCall calls before prior to each call, with its operation.
type beforeCall struct{ before func(operation string) }

func (b *beforeCall) Do(r *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	b.before(operation)
	return http.DefaultClient.Do(r)
}

// TestCreate_SeatsBecomeFreeMeanwhile frees a place between the write that finds the
// count full and the read of the count. The invitation takes the place unless others take each
// place first.
func TestCreate_SeatsBecomeFreeMeanwhile(t *testing.T) {
	t.Parallel()
	for _, taken := range []bool{false, true} {
		t.Run(fmt.Sprintf("taken %v", taken), func(t *testing.T) {
			t.Parallel()
			hook := &beforeCall{before: func(string) {}}
			addr := enginetest.Start(t)
			client := dynamo.LocalClient(addr)
			tabletest.Create(t, client, "invites")
			others := invite.NewStore(dynamo.NewTable(client, "invites", nil))
			hooked := dynamo.LocalClient(addr, func(o *dynamodb.Options) { o.HTTPClient = hook })
			store := invite.NewStore(dynamo.NewTable(hooked, "invites", nil))
			const limit = 2
			first, last := 1, 0 // live invitations
			fill := func() {
				last++
				if ok, err := others.Create(t.Context(), nthInvitation(last), limit); !ok || err != nil {
					t.Error(ok, err)
				}
			}
			for range limit {
				fill()
			}
			seatFree := false
			hook.before = func(operation string) {
				switch {
				case operation == "GetItem":
					if ok, err := others.Revoke(t.Context(), nthInvitation(first)); !ok || err != nil {
						t.Error(ok, err)
					}
					first, seatFree = first+1, true
				case taken && seatFree:
					fill()
					seatFree = false
				}
			}
			ok, err := store.Create(t.Context(), nthInvitation(0), limit)
			if ok == taken || (chat.KindOf(err) == chat.Unavailable) != taken || !taken && err != nil {
				t.Errorf("created %v, %v", ok, err)
			}
		})
	}
}

func nthInvitation(n int) invite.Invitation {
	return invite.Invitation{
		ID: invite.IDOf(fmt.Sprint(n)), Room: "seattle", Role: policy.Member, CreatedBy: "amsg",
		CreatedAt: start, Expires: start.Add(time.Hour), MaxUses: 1,
	}
}
