package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"time"

	"example.com/parley/client"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/local/issuer"
	"example.com/parley/internal/local/signin"
)

// general is the room in which the first people of a new server meet.
const general = "/rooms/general"

// ownProfile is the path of the caller's profile.
const ownProfile = "/people/me"

// signsInByName reports whether people sign in with only their names: only on this machine, and
// only with the tokens of the local issuer.
func (c *serveCmd) signsInByName(addr net.Addr) bool {
	return c.Issuer == "" && isLoopback(addr)
}

// signIn returns a handler for sign-in by name, which passes other requests to next. If people do
// not sign in by name, it returns next.
func (c *serveCmd) signIn(log *slog.Logger, addr net.Addr, next http.Handler) (http.Handler, error) {
	if !c.signsInByName(addr) {
		return next, nil
	}
	tokens, err := openIssuer(c.Data)
	if err != nil {
		return nil, err
	}
	h := signin.New(signin.Config{
		Rule: userRule, Named: named, Log: log, Welcome: hall{addr}.welcome,
		Sign: func(p signin.Person) (string, time.Time, error) {
			expires := time.Now().Truncate(time.Second).Add(issuer.DefaultLife)
			token, err := tokens.Token(p.User, issuer.DefaultLife, issuer.Claim{Name: c.NameClaim, Value: cmp.Or(p.Name, p.User)})
			return token, expires, err
		},
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path == config.SignInPath {
			h.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	}), nil
}

// userRule returns the rule that a user id breaks, or "".
func userRule(user string) string {
	_, err := chat.ParseUserID(user)
	if rule := (&chat.Error{}); errors.As(err, &rule) {
		return rule.Detail
	}
	return ""
}

// hall welcomes people to the server on an address.
type hall struct{ addr net.Addr }

// welcome gives a person without rooms their name and the room general, which it creates if it
// never existed. It is not an error if the room is deleted or the person is banned from it. It is
// not an error either if the person is suspended; the page says so.
func (h hall) welcome(ctx context.Context, p signin.Person, token string) error {
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, h.addr.Network(), h.addr.String())
	}}
	defer transport.CloseIdleConnections()
	api, err := client.New("http://localhost", client.Fixed(token), transport)
	if err != nil {
		return err
	}
	var mine struct{ Items []struct{ ID string } }
	listed, err := api.Do(ctx, client.Call{
		Method: http.MethodGet, Path: "/people/me/rooms?limit=1", Want: []int{http.StatusOK, http.StatusForbidden}, Into: &mine,
	})
	if err != nil || len(mine.Items) > 0 || listed.Status == http.StatusForbidden {
		return err
	}
	if err := giveName(ctx, api, p.Name); err != nil {
		return err
	}
	created, err := api.Do(ctx, client.Call{
		Method: http.MethodPut, Path: general, Body: map[string]string{"name": "General"},
		Want: []int{http.StatusCreated, http.StatusOK, http.StatusForbidden, http.StatusConflict},
	})
	if err != nil || created.Status < http.StatusMultipleChoices {
		return err
	}
	_, err = api.Do(ctx, client.Call{
		Method: http.MethodPut, Path: general + "/members/" + url.PathEscape(p.User), Body: map[string]string{"role": "member"},
		Want: []int{http.StatusOK, http.StatusCreated, http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
	})
	return err
}

// giveName saves the name that the caller typed, unless they have already saved one.
func giveName(ctx context.Context, api *client.Client, name string) error {
	if name == "" {
		return nil
	}
	// The token claims the name, which the profile shows until one is saved.
	var me struct{ Name string }
	_, err := api.Do(ctx, client.Call{Method: http.MethodGet, Path: ownProfile, Want: []int{http.StatusOK}, Into: &me})
	if err != nil || me.Name != name {
		return err
	}
	_, err = api.Do(ctx, client.Call{
		Method: http.MethodPut, Path: ownProfile, Body: map[string]string{"name": name}, Want: []int{http.StatusCreated, http.StatusOK},
	})
	return err
}
