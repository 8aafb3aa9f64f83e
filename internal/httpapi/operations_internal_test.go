package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/ratelimit"
)

// TestOperations_AreOfTheirFunction checks that a function's table contains only its operations.
// The stack sends their requests to it.
func TestOperations_AreOfTheirFunction(t *testing.T) {
	t.Parallel()
	for _, all := range All() {
		for _, o := range all.list() {
			if o.function != all.Function() {
				t.Errorf("%s is of the function %s, and is in the table of %s", o.OperationID, o.function, all.Function())
			}
		}
	}
}

// maxGatewayRoutes keeps a deployment, which creates all routes concurrently, below the burst of
// 40 calls that API Gateway's control plane accepts.
const maxGatewayRoutes = 24

// TestGatewayRoutes_ReachTheFunctionOfEachRoute includes HEAD, which API Gateway does not map to GET.
func TestGatewayRoutes_ReachTheFunctionOfEachRoute(t *testing.T) {
	t.Parallel()
	gateway := map[string]Route{}
	for _, r := range GatewayRoutes() {
		if _, twice := gateway[r.Key()]; twice || r.Method == http.MethodOptions {
			t.Errorf("%s is there twice, or takes preflights, which API Gateway answers only where no route does", r.Key())
		}
		gateway[r.Key()] = r
	}
	if len(gateway) > maxGatewayRoutes {
		t.Errorf("there are %d routes, more than %d", len(gateway), maxGatewayRoutes)
	}
	for _, want := range Routes() {
		for _, method := range []string{want.Method, http.MethodHead} {
			if method != want.Method && want.Method != http.MethodGet {
				continue
			}
			got, ok := gateway[method+" "+want.Path]
			if !ok {
				got = gateway[method+" "+anyPath]
			}
			if got.Function != want.Function || got.Public != want.Public {
				t.Errorf("%s %s reaches %+v, want %s", method, want.Path, got, want.Function)
			}
		}
	}
}

// TestDefine_PricesWhatTheFunctionDoes checks that an operation of the write function is not priced as
// a read, nor the reverse.
func TestDefine_PricesWhatTheFunctionDoes(t *testing.T) {
	t.Parallel()
	for _, o := range operations() {
		if o.public {
			if o.price != (price{}) {
				t.Errorf("%s has no caller and the price %+v", o.OperationID, o.price)
			}
			continue
		}
		if o.price.units < 1 || (o.price.limit == ratelimit.Reads) != (o.function != Write) {
			t.Errorf("%s, of the function %s, has the price %+v", o.OperationID, o.function, o.price)
		}
	}
}

// TestTowardCosts_AreOfTheTarget checks toward whom each operation has which cost.
func TestTowardCosts_AreOfTheTarget(t *testing.T) {
	t.Parallel()
	yes := true
	room := RoomPath{Room: "seattle"}
	on := func(target string, units int) ratelimit.Cost {
		return ratelimit.Cost{Limit: ratelimit.Toward(target), Units: units}
	}
	put := &putMemberInput{MemberPath: MemberPath{RoomPath: room, User: "bob"}}
	owner := &putOwnerInput{RoomPath: room}
	owner.Body.User = "bob"
	post := &postMessageInput{RoomPath: room}
	post.Body.Mentions, post.Body.MentionRoom = []string{"bob"}, &yes
	patch := &patchMessageInput{MessagePath: MessagePath{RoomPath: room}}
	patch.Body.Mentions = []string{"bob", "bob", "carl"}
	for name, tt := range map[string]struct {
		in   any
		want []ratelimit.Cost
	}{
		"put-member":             {put, []ratelimit.Cost{on("bob", 2)}},
		"delete-member":          {&MemberPath{room, "bob"}, []ratelimit.Cost{on("bob", 2)}},
		"delete-member, me":      {&MemberPath{room, "me"}, []ratelimit.Cost{on("room seattle", 2)}},
		"delete-member, oneself": {&MemberPath{room, "amsg"}, []ratelimit.Cost{on("room seattle", 2)}},
		"put-owner":              {owner, []ratelimit.Cost{on("bob", 2)}},
		"post-message":           {post, []ratelimit.Cost{on("bob", 1), on("room seattle", 10)}},
		"patch-message":          {patch, []ratelimit.Cost{on("bob", 2), on("carl", 1)}},
		"post-report":            {&postReportInput{MessagePath: MessagePath{room, "01890a5d-ac96-774b-bcce-b302099a8057~bob"}}, []ratelimit.Cost{on("bob", 10)}},
		"a report of no message": {&postReportInput{MessagePath: MessagePath{room, "x"}}, nil},
		"post-invite":            {&postInviteInput{RoomPath: room}, []ratelimit.Cost{on("room seattle", 10)}},
		"use-invite":             {&InvitePath{Token: "t"}, []ratelimit.Cost{on("invite t", 2)}},
		"put-part":               {&putPartInput{}, nil},
	} {
		byLimit := cmpopts.SortSlices(func(a, b ratelimit.Cost) bool { return a.Limit < b.Limit })
		if diff := cmp.Diff(tt.want, towardCosts("amsg", tt.in), byLimit); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// budgetStore stores the budgets of one account in memory.
type budgetStore struct {
	mu     sync.Mutex
	full   ratelimit.Budgets
	writes int
}

func (b *budgetStore) Spend(_ context.Context, _ chat.UserID, s ratelimit.Spending) (time.Time, bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.writes++
	at := b.full[s.Limit]
	if at.Before(s.Now) || at.After(s.Now.Add(s.Trust)) {
		at = s.Now
	}
	if at.Sub(s.Now) >= s.Below {
		return at, false, nil
	}
	b.full[s.Limit] = at.Add(s.By)
	return at.Add(s.By), true, nil
}

// provision charges one account for 5,000 people, 500 rooms and 20,000 memberships, evenly over a
// time and over 8 processes. It returns the refused requests and the writes to the account.
func provision(t *testing.T, limits ratelimit.Limits, within time.Duration) (refused, writes int) {
	t.Helper()
	const people, rooms, memberships, processes = 5000, 500, 20_000, 8
	store, now := &budgetStore{}, time.Unix(1_535_544_000, 0)
	var meters []*ratelimit.Meter
	for range processes {
		meters = append(meters, ratelimit.NewMeter(ratelimit.Options{
			Store: store, Limits: limits, Clock: func() time.Time { return now }, Chance: func() float64 { return 0.5 },
		}))
	}
	n := 0
	request := func(p price, in any) {
		n++
		now = now.Add(within / (people + rooms + memberships))
		s, b := &server{service: &app.Services{ServiceMeter: meters[n%processes]}}, &bill{}
		ctx := chat.WithService(context.WithValue(t.Context(), requestKey{}, request{bytes: 200, bill: b}), "desk")
		if err := s.charge(ctx, "desk", p, in, store.full); err != nil {
			refused++
			return
		}
		if err := b.settle(ctx, 201, 500, 0); err != nil {
			t.Fatal(err)
		}
	}
	for range people {
		request(personPrice, nil)
	}
	for range rooms {
		request(roomPrice, nil)
	}
	for i := range memberships {
		request(memberPrice, &MemberPath{RoomPath: RoomPath{Room: "room"}, User: "user-" + strconv.Itoa(i%people)})
	}
	return refused, store.writes
}

// TestCharge_ServiceProvisionsACompany provisions with the default limits of services, within 2
// minutes and 10 times as fast. Nothing is refused, and the account is written for at most one
// request in 5.
func TestCharge_ServiceProvisionsACompany(t *testing.T) {
	t.Parallel()
	for _, within := range []time.Duration{2 * time.Minute, 12 * time.Second} {
		refused, writes := provision(t, ratelimit.ForServices(0), within)
		t.Logf("%v: %d writes to the account", within, writes)
		if refused > 0 || writes > 25_500/5 {
			t.Errorf("within %v, %d requests are refused after %d writes to the account", within, refused, writes)
		}
	}
}

// TestCharge_PersonCannotProvisionACompany is the control: a person's limits refuse most of it.
func TestCharge_PersonCannotProvisionACompany(t *testing.T) {
	t.Parallel()
	if refused, _ := provision(t, ratelimit.For(0), 2*time.Minute); refused < 15_000 {
		t.Errorf("only %d requests are refused", refused)
	}
}
