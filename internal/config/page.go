package config

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	// PageCache lets browsers keep a file of the web app, but revalidate it before each use. An
	// upgrade shows with the next load.
	PageCache = "no-cache"
	// PageAssetCache lets browsers keep a file whose name changes with each build for a year.
	PageAssetCache = "public, max-age=31536000, immutable"
	// PageTimeout limits the function that writes the files of the page, one after another.
	PageTimeout = time.Minute
	// PageReferrer hides the names of rooms from sites that messages link to.
	PageReferrer = "no-referrer"
	// PageOpener keeps pages that open the app, or are opened by it, from reaching into its window.
	PageOpener = "same-origin"
	// PagePermissions denies the app browser features that a script in it might misuse. The app
	// needs none of them.
	PagePermissions = "accelerometer=(), camera=(), clipboard-read=(), display-capture=(), geolocation=(), " +
		"gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()"
	// PageAssets begins the paths of files whose names change with each build.
	PageAssets = "/assets/"
)

// PageModules returns the paths of the client's modules, which pages of every origin may import.
// The first one loads the others from the same folder.
func PageModules() []string {
	return []string{"/client.js", "/more.js", "/files.js", "/search.js", "/notices.js", "/cache.js", "/scrub.js"}
}

// Policy returns the Content-Security-Policy of the web app. The app runs only its own scripts and
// styles. Sources returns the rest.
func (p Page) Policy() string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; " + p.Sources() + "; " +
		"manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// Sources returns the directives of Policy for pictures, connections, and sound and video. They
// allow the app's own origin and the origin of Files. They also allow pictures of AvatarHosts and
// of files that the person is about to send, and connections to the addresses of p to which the
// app sends requests.
func (p Page) Sources() string {
	pictures := []string{"'self'", "blob:", p.Files}
	for _, host := range p.AvatarHosts {
		pictures = append(pictures, "https://"+host)
	}
	connections := []string{"'self'", p.Files}
	for _, address := range []string{p.API, p.Socket, p.SignIn.Token, p.SignIn.Revoke} {
		connections = append(connections, originOf(address))
	}
	return "img-src " + sources(pictures) + "; connect-src " + sources(connections) + "; media-src " + sources([]string{
		"'self'", p.Files,
	})
}

// sources returns a list of sources, each once, without empty ones.
func sources(all []string) string {
	var some []string
	for _, source := range all {
		if source != "" && !slices.Contains(some, source) {
			some = append(some, source)
		}
	}
	return strings.Join(some, " ")
}

// originOf returns an address up to its path or query. The host is not checked: in a stack it
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

// SignInPeoplePath is the path at which the sign-in by name finds people.
const SignInPeoplePath = SignInPath + "/people"

// DeliveriesPath is the path of the last requests to hooks, and ReplayPath repeats what one of them
// sent. Only chat serve has them, where people sign in by name.
const (
	DeliveriesPath = "/local/deliveries"
	ReplayPath     = DeliveriesPath + "/replay"
)

// Page is the document /config.json, which describes the web app's environment.
type Page struct {
	API    string     `json:"api"`    // the API's address; empty is the page's own origin
	Socket string     `json:"socket"` // the WebSocket API's address; empty is /ws of that origin
	SignIn PageSignIn `json:"signIn"`
	Docs   string     `json:"docs"` // the address of the API's documentation
	// AvatarHosts are the hosts whose pictures the app shows. These hosts see who reads and when.
	AvatarHosts []string `json:"avatarHosts,omitempty"`
	// NotificationsShow is the most that notifications show: text, sender or none; empty is text.
	NotificationsShow string `json:"notificationsShow,omitempty"`
	// Files is the origin of the links to files; empty is the page's own.
	Files string `json:"files,omitempty"`
}

// hostName matches a DNS name of at least two parts.
var hostName = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$`)

// IsHostName reports whether s is a DNS name of at least two parts, in lower case, without scheme,
// port, path or wildcard.
func IsHostName(s string) bool { return hostName.MatchString(s) }

// PageSignIn says how people sign in to the web app. Only SignInOIDC uses fields other than the
// kind.
type PageSignIn struct {
	Kind      string `json:"kind"`
	Authorize string `json:"authorize,omitempty"`
	Token     string `json:"token,omitempty"`
	Logout    string `json:"logout,omitempty"`
	Revoke    string `json:"revoke,omitempty"`
	Client    string `json:"client,omitempty"`
	Scope     string `json:"scope,omitempty"`
}
