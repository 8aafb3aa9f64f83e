package config

import (
	"slices"
	"strings"
)

const (
	// PageCache lets browsers keep a file of the web app, and confirm before each use that it is
	// current. An upgrade shows with the next load.
	PageCache = "no-cache"
	// PageChunkCache lets browsers keep a file for a year whose name changes with its content.
	PageChunkCache = "public, max-age=31536000, immutable"
	// PageReferrer keeps the names of rooms from the sites that messages link to.
	PageReferrer = "no-referrer"
	// PageClient is the path of the client, which pages of every origin may import.
	PageClient = "/client.js"
	// PageMore is the path of the client's second module, which the first loads from beside it.
	PageMore = "/more.js"
	// PageChunks begins the paths of files whose names change with their contents.
	PageChunks = "/chunks/"
)

// PagePolicy returns the Content-Security-Policy of the web app. The app runs its own scripts and
// styles alone. It connects to its own origin and to the given sources, which are hosts such as
// https://api.example.com.
func PagePolicy(connect ...string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; " +
		"connect-src " + strings.Join(append([]string{"'self'"}, connect...), " ") + "; " +
		"manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// Sources returns the sources beside its own origin to which the app connects, for PagePolicy: the
// scheme and host of each address that it sends requests to, once.
func (p Page) Sources() []string {
	var sources []string
	for _, address := range []string{p.API, p.Socket, p.SignIn.Token, p.SignIn.Revoke} {
		if source := originOf(address); source != "" && !slices.Contains(sources, source) {
			sources = append(sources, source)
		}
	}
	return sources
}

// originOf returns an address up to its path or query. The host may be anything: in a stack it
// contains placeholders.
func originOf(address string) string {
	scheme, rest, _ := strings.Cut(address, "://")
	if end := strings.IndexAny(rest, "/?"); end >= 0 {
		rest = rest[:end]
	}
	if rest == "" {
		return ""
	}
	return scheme + "://" + rest
}

// The kinds of sign-in that the web app knows.
const (
	SignInLocal = "local" // by name, at SignInPath of chat serve
	SignInToken = "token" // by a token that the person pastes
	SignInOIDC  = "oidc"  // on the pages of the user pool
)

// SignInPath is the path of the sign-in by name. Only chat serve has it.
const SignInPath = "/local/sign-in"

// Page is the document /config.json, which tells the web app its surroundings.
type Page struct {
	API    string     `json:"api"`    // the API's address; empty is the page's own origin
	Socket string     `json:"socket"` // the WebSocket API's address; empty is /ws of that origin
	SignIn PageSignIn `json:"signIn"`
	Docs   string     `json:"docs"` // the address of the API's documentation
}

// PageSignIn says how people sign in to the web app. Only SignInOIDC has more than a kind.
type PageSignIn struct {
	Kind      string `json:"kind"`
	Authorize string `json:"authorize,omitempty"`
	Token     string `json:"token,omitempty"`
	Logout    string `json:"logout,omitempty"`
	Revoke    string `json:"revoke,omitempty"`
	Client    string `json:"client,omitempty"`
	Scope     string `json:"scope,omitempty"`
}
