package web

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"testing"
	"testing/fstest"
)

var folder = regexp.MustCompile(`^assets/[0-9a-f]{16}/`)

func TestFiles_HaveVersionedNames(t *testing.T) {
	t.Parallel()
	files, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	remaining := map[string]bool{
		"index.html": true, "missing.html": true, "client.js": true, "more.js": true, "files.js": true, "search.js": true, "notices.js": true, "cache.js": true, "scrub.js": true, "licenses.txt": true,
		"favicon.svg": true, "icon.png": true, "manifest.webmanifest": true, "sw.js": true,
	}
	versions := map[string]bool{}
	for name := range files {
		if in := folder.FindString(name); in != "" {
			versions[in] = true
		} else if !remaining[name] {
			t.Errorf("%s has no version", name)
		}
		delete(remaining, name)
	}
	if len(versions) != 1 || len(remaining) != 0 {
		t.Errorf("the page has the versions %v, and lacks %v", versions, remaining)
	}
	for in := range versions {
		for _, name := range []string{"app.js", "app.css", "client.js", "more.js", "files.js", "search.js", "notices.js", "cache.js", "scrub.js"} {
			if files[in+name] == nil {
				t.Errorf("%s has no %s", in, name)
			}
		}
	}
}

func TestFiles_IndexNamesFiles(t *testing.T) {
	t.Parallel()
	files, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`(?:src|href)="/([^"]+)"`).FindAllStringSubmatch(string(files["index.html"]), -1)
	for _, n := range named {
		name := n[1]
		versioned := folder.MatchString(name) || slices.Contains([]string{"favicon.svg", "icon.png", "manifest.webmanifest", "config.json"}, name)
		if !versioned || files[name] == nil && name != "config.json" {
			t.Errorf("the index names %s", name)
		}
	}
	if len(named) < 5 {
		t.Errorf("the index names %d files", len(named))
	}
}

// TestFiles_WorkerNamesFiles checks that the service worker keeps all that the page can load.
func TestFiles_WorkerNamesFiles(t *testing.T) {
	t.Parallel()
	files, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]bool{}
	for _, n := range regexp.MustCompile(`"/([^"]+\.(?:js|css|svg|png|webmanifest))"`).FindAllSubmatch(files["sw.js"], -1) {
		kept[string(n[1])] = true
	}
	for name := range files {
		if needed := !slices.Contains([]string{".html", ".txt"}, path.Ext(name)) && !slices.Contains(append(public, worker), name); needed != kept[name] {
			t.Errorf("%s: the worker keeps it: %v", name, kept[name])
		}
		delete(kept, name)
	}
	for name := range kept {
		t.Errorf("the worker names %s, which does not exist", name)
	}
}

// TestVersioned_EveryFileCounts changes, renames and adds files.
func TestVersioned_EveryFileCounts(t *testing.T) {
	t.Parallel()
	build := func(change func(fstest.MapFS)) string {
		files := fstest.MapFS{}
		for _, name := range []string{"app.js", "app.css", "client.js", "index.html", "favicon.svg"} {
			files[name] = &fstest.MapFile{Data: []byte(name)}
		}
		change(files)
		found, err := versioned(files)
		if err != nil {
			t.Fatal(err)
		}
		for name := range found {
			if in := folder.FindString(name); in != "" {
				return in
			}
		}
		t.Fatalf("nothing has a version: %v", found)
		return ""
	}
	same := func(fstest.MapFS) {}
	seen := map[string]string{build(same): "the build itself"}
	if seen[build(same)] == "" {
		t.Error("a build has two versions")
	}
	changes := map[string]func(fstest.MapFS){
		"another file":   func(files fstest.MapFS) { files["more.js"] = &fstest.MapFile{} },
		"another name":   func(files fstest.MapFS) { files["apps.js"] = files["app.js"]; delete(files, "app.js") },
		"a moved border": func(files fstest.MapFS) { files["app.js"].Data = append(files["app.js"].Data, '\n') },
	}
	for _, name := range []string{"app.js", "app.css", "client.js", "index.html", "favicon.svg"} {
		changes["other "+name] = func(files fstest.MapFS) { files[name].Data = []byte("other") }
	}
	for name, change := range changes {
		in := build(change)
		if seen[in] != "" {
			t.Errorf("%s has the version of %s", name, seen[in])
		}
		seen[in] = name
	}
}

// TestDist_HasStableNames checks that a small change of a source changes few files of the repository.
func TestDist_HasStableNames(t *testing.T) {
	t.Parallel()
	hash := regexp.MustCompile(`-[0-9A-Z]{8}\.js|assets/[0-9a-f]{16}`)
	entries, err := fs.ReadDir(dist, "dist")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		text, err := dist.ReadFile(path.Join("dist", entry.Name()))
		if found := hash.FindString(entry.Name() + "\n" + string(text)); err != nil || found != "" {
			t.Errorf("%s contains %q, %v", entry.Name(), found, err)
		}
	}
}
