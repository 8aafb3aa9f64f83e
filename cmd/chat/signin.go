package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"example.com/parley/client"
	"example.com/parley/internal/archive"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/local/file"
	"example.com/parley/internal/local/issuer"
	"example.com/parley/internal/local/signin"
	"example.com/parley/internal/people"
	"example.com/parley/internal/webpage"
)

// general is the room in which the first people of a new server meet.
const general = "/rooms/general"

// ownProfile is the path of the caller's profile.
const ownProfile = "/people/me"

// signsInByName reports whether people sign in with only their names: only on this machine, and
// only with the tokens of the local issuer.
func (c *serveCmd) signsInByName(addr net.Addr) bool {
	return c.signsTokens() && isLoopback(addr)
}

// signIn returns a handler for sign-in by name and for the last deliveries to hooks, which passes
// other requests to next. If people do not sign in by name, it returns next.
func (c *serveCmd) signIn(
	log *slog.Logger, addr net.Addr, store people.Store, next http.Handler,
) (http.Handler, error) {
	if !c.signsInByName(addr) {
		return next, nil
	}
	tokens, err := openIssuer(c.Data)
	if err != nil {
		return nil, err
	}
	h := signin.New(signin.Config{
		Rule: userRule, Named: named, Find: finder(store), Offered: func() []signin.Person { return offered(c.Data) },
		Log: log, Welcome: hall{addr}.welcome,
		Sign: func(p signin.Person) (string, time.Time, error) {
			expires := time.Now().Truncate(time.Second).Add(issuer.DefaultLife)
			token, err := tokens.Token(
				p.User, issuer.DefaultLife, issuer.Claim{Name: c.NameClaim, Value: cmp.Or(p.Name, p.User)},
			)
			return token, expires, err
		},
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost && r.URL.Path == config.SignInPath:
			h.ServeHTTP(w, r)
		case r.Method == http.MethodPost && r.URL.Path == config.SignInPeoplePath:
			h.ServePeople(w, r)
		case r.Method == http.MethodPost && r.URL.Path == config.DeliveriesPath:
			c.deliveries.serveList(w, r, log)
		case r.Method == http.MethodPost && r.URL.Path == config.ReplayPath:
			c.deliveries.serveReplay(w, r, log)
		default:
			next.ServeHTTP(w, r)
		}
	}), nil
}

// foundAtOnce is the number of people that a search reads, including programs.
const foundAtOnce = 50

// finder returns a function that finds the people of a store, without programs, by the beginning of
// a word of their names.
func finder(store people.Store) func(ctx context.Context, text string) ([]signin.Person, error) {
	return func(ctx context.Context, text string) ([]signin.Person, error) {
		r, err := people.Query{Name: text, Page: chat.PageRequest{Limit: foundAtOnce}}.Range()
		if err != nil {
			return nil, err
		}
		matches, _, err := store.People(ctx, r)
		if err != nil {
			return nil, err
		}
		users := make([]chat.UserID, len(matches))
		for i, m := range matches {
			users[i] = m.User
		}
		profiles, err := store.Profiles(ctx, users)
		programs := map[chat.UserID]bool{}
		for _, p := range profiles {
			programs[p.User] = p.Bot
		}
		var found []signin.Person
		for _, m := range matches {
			if !programs[m.User] {
				found = append(found, signin.Person{User: string(m.User), Name: m.Name})
			}
		}
		return found, err
	}
}

// userRule returns the rule that a user id breaks, or "".
func userRule(user string) string {
	if user == importer {
		return "must not be " + importer + ", which is nobody"
	}
	_, err := chat.ParseUserID(user)
	if rule := (&chat.Error{}); errors.As(err, &rule) {
		return rule.Detail
	}
	return ""
}

// hall welcomes people to the server on an address.
type hall struct{ addr net.Addr }

// welcome gives a person without rooms their name and a room. That is the room general, which it
// creates if it never existed, or an imported room if there is no room general. It is not an error
// if the room is deleted or the person is banned from it. It is not an error either if the person
// is suspended; the page says so.
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
		Method: http.MethodGet, Path: "/people/me/rooms?limit=1", Want: []int{http.StatusOK, http.StatusForbidden},
		Into: &mine,
	})
	if err != nil || len(mine.Items) > 0 || listed.Status == http.StatusForbidden {
		return err
	}
	if err := giveName(ctx, api, p.Name); err != nil {
		return err
	}
	room, err := importedRoom(ctx, api)
	if err != nil {
		return err
	}
	if room != "" {
		return join(ctx, api, room, p.User)
	}
	created, err := api.Do(ctx, client.Call{
		Method: http.MethodPut, Path: general, Body: map[string]string{"name": "General"},
		Want: []int{http.StatusCreated, http.StatusOK, http.StatusForbidden, http.StatusConflict},
	})
	if err != nil || created.Status < http.StatusMultipleChoices {
		return err
	}
	return join(ctx, api, general, p.User)
}

// join makes a person a member of the room at a path, unless that is refused.
func join(ctx context.Context, api *client.Client, room, user string) error {
	_, err := api.Do(ctx, client.Call{
		Method: http.MethodPut, Path: room + "/members/" + url.PathEscape(user),
		Body: map[string]string{"role": "member"},
		Want: []int{http.StatusOK, http.StatusCreated, http.StatusForbidden, http.StatusNotFound, http.StatusConflict},
	})
	return err
}

// importedRoom returns the path of the imported room with the most members, or "" if there is none
// or a room general.
func importedRoom(ctx context.Context, api *client.Client) (path string, err error) {
	there, err := api.Do(ctx, client.Call{
		Method: http.MethodGet, Path: general, Want: []int{http.StatusOK, http.StatusForbidden, http.StatusNotFound},
	})
	if err != nil || there.Status == http.StatusOK {
		return "", err
	}
	var rooms struct {
		Items []struct{ ID, CreatedBy string }
	}
	_, err = api.Do(
		ctx, client.Call{Method: http.MethodGet, Path: "/rooms?limit=100", Want: []int{http.StatusOK}, Into: &rooms},
	)
	most := -1
	for _, room := range rooms.Items {
		if err != nil || room.CreatedBy != importer {
			continue
		}
		var counted struct{ MemberCount int }
		_, err = api.Do(ctx, client.Call{
			Method: http.MethodGet, Path: "/rooms/" + room.ID + "?include=count", Want: []int{http.StatusOK},
			Into: &counted,
		})
		if counted.MemberCount > most {
			path, most = "/rooms/"+room.ID, counted.MemberCount
		}
	}
	return path, err
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
		Method: http.MethodPut, Path: ownProfile, Body: map[string]string{"name": name},
		Want: []int{http.StatusCreated, http.StatusOK},
	})
	return err
}

// offerFile is the file of a data folder with the people whom imports brought, whom the local
// sign-in offers.
const offerFile = "imported-people.json"

// offer adds the people of an import to the data folder. A person of several imports has the counts
// of the last one.
func offer(dir string, people []archive.Writer) error {
	var all []signin.Person
	for _, p := range people {
		all = append(all, signin.Person{User: string(p.User), Name: p.Name, Messages: p.Messages})
	}
	for _, p := range offered(dir) {
		if !slices.ContainsFunc(all, func(o signin.Person) bool { return o.User == p.User }) {
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b signin.Person) int { return b.Messages - a.Messages })
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return file.Write(filepath.Join(dir, offerFile), text)
}

// offered returns the people whom imports brought, sorted by messages written, most first. There
// are none without an import, or if the file is damaged: people can still sign in by name.
func offered(dir string) []signin.Person {
	text, err := os.ReadFile(filepath.Join(filepath.Clean(dir), offerFile))
	var all []signin.Person
	if err != nil || json.Unmarshal(text, &all) != nil {
		return nil
	}
	return all
}

// digestBytes is the digest length that distinguishes user ids of names with letters that ids
// cannot contain.
const digestBytes = 4

// spelled maps letters that do not decompose into a base letter and an accent.
var spelled = strings.NewReplacer(
	"ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ð", "d", "ł", "l", "þ", "th", "ı", "i",
)

// named returns the person of a typed name, or the rule that the name breaks. It ignores space
// around the name. Names that differ only in case, accents or punctuation belong to one person.
func named(text string) (p signin.Person, rule string) {
	name := strings.Join(strings.Fields(text), " ")
	if err := chat.CheckName("name", name, chat.MaxName); err != nil {
		return p, "must have 1 to 100 bytes on one line, without invisible characters"
	}
	return signin.Person{User: idOf(name), Name: name}, ""
}

// idOf returns the user id of a name: "Dana Scott" gives dana-scott. A name with letters that ids
// cannot contain, such as letters of other scripts, gives an id with a digest of the name.
func idOf(name string) string {
	folded := spelled.Replace(strings.ToLower(name))
	var id strings.Builder
	lost := false
	for _, r := range norm.NFKD.String(folded) {
		switch {
		case r <= unicode.MaxASCII && chat.UserByte(byte(r)): //nolint:gosec // it is one byte
			id.WriteRune(r)
		case unicode.Is(unicode.Mn, r): // the accent of the previous letter
		default:
			lost = lost || unicode.IsLetter(r) || unicode.IsNumber(r)
			id.WriteByte(' ')
		}
	}
	user := strings.Join(strings.Fields(id.String()), "-")
	if user != "" && !lost && userRule(user) == "" {
		return user
	}
	sum := sha256.Sum256([]byte(folded))
	digest := hex.EncodeToString(sum[:digestBytes])
	user = user[:min(len(user), chat.MaxUserID-len(digest)-1)]
	return strings.TrimLeft(user+"-"+digest, "-")
}

// page returns the handler of the web app, which passes other requests on.
func (c *serveCmd) page(addr net.Addr, next http.Handler) (http.Handler, error) {
	return webpage.New(webpage.Options{Page: c.pageConfig(addr), Dir: c.Page, Next: next})
}

// pageConfig returns the description of the web app's environment.
func (c *serveCmd) pageConfig(addr net.Addr) config.Page {
	kind := config.SignInToken
	if c.signsInByName(addr) {
		kind = config.SignInLocal
	}
	return config.Page{SignIn: config.PageSignIn{Kind: kind}, Docs: "/docs", AvatarHosts: c.AvatarHost}
}
