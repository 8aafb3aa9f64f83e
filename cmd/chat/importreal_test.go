package main

import (
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// dataFolder is the environment variable that names a folder of real archives. They are not part
// of the project, so the tests in this file are skipped without them, except in CI.
const dataFolder = "CHAT_DATA"

// realEmoji are the emoji of the names that occur in the real export. The import's table is
// generated, and this one is not.
func realEmoji() map[string]string {
	return map[string]string{
		"+1": "👍", "clap": "👏", "100": "💯", "fire": "🔥", "sunglasses": "😎", "ok_hand": "👌", "clap::skin-tone-3": "👏🏼",
		"wave": "👋", "fire_engine": "🚒", "joy": "😂", "basketball": "🏀", "heart": "❤️", "robot_face": "🤖", "books": "📚",
		"beers": "🍻", "hamburger": "🍔", "airplane": "✈️", "anguished": "😧", "bar_chart": "📊", "pig_nose": "🐽",
		"simple_smile": "🙂", "tada": "🎉", "film_projector": "📽️", "thinking_face": "🤔", "grin": "😁", "cool": "🆒",
		"slightly_smiling_face": "🙂", "grinning": "😀", "smile": "😄", "world_map": "🗺️", "rocket": "🚀",
		"national_park": "🏞️", "book": "📖", "nose": "👃", "chart_with_upwards_trend": "📈", "computer": "💻",
		"loud_sound": "🔊", "frame_with_picture": "🖼️", "eye": "👁️",
	}
}

// realData returns the folder of real archives, or skips the test.
func realData(t *testing.T) string {
	t.Helper()
	data := os.Getenv(dataFolder)
	if data == "" && os.Getenv("CI") != "" {
		t.Fatalf("%s must name a folder with real archives in CI", dataFolder)
	}
	if data == "" {
		t.Skipf("%s does not name a folder with real archives", dataFolder)
	}
	return data
}

// TestImport_RealReactions compares the counts of reactions in the API with the counts in the
// files of a real export, for each message, identified by its room, sender and second.
func TestImport_RealReactions(t *testing.T) {
	t.Parallel()
	export := filepath.Join(realData(t), "slack-houston")
	want, total := reactionsOfFiles(t, export)
	dir := dataDir(t)
	report, lines, err := runImport(t, "slack", export, "--data", dir)
	if err != nil {
		t.Fatalf("%v\n%s", err, lines)
	}
	wantCount(t, report, "reactions added", strconv.Itoa(total))
	s := serve(t, dir)
	token := tokenOf(t, dir, "eve")
	var got map[string]int
	for end := time.Now().Add(feedWithin); time.Now().Before(end); time.Sleep(feedPoll) {
		if got = reactionsOfRooms(t, s, token, foldersOf(t, export)); maps.Equal(want, got) {
			return
		}
	}
	t.Errorf("reactions (-files +API):\n%s", cmp.Diff(want, got))
}

// TestImport_RealFiles imports the files of a real export, first without their bytes, and then with
// zeros in their place, in Slackdump's folders.
func TestImport_RealFiles(t *testing.T) {
	t.Parallel()
	data := realData(t)
	export, downloads := filepath.Join(data, "slack-houston"), t.TempDir()
	sizes := filesOf(t, export)
	dir := dataDir(t)
	report, lines, err := runImport(t, "slack", export, "--data", dir)
	if err != nil {
		t.Fatalf("%v\n%s", err, lines)
	}
	wantCount(t, report, "files not found", strconv.Itoa(len(sizes)))
	for id, size := range sizes {
		path := filepath.Join(downloads, "__uploads", id, "file")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, size)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"files added", "files already there"} {
		if report, lines, err = runImport(t, "slack", export, "--files", downloads, "--data", dir); err != nil {
			t.Fatalf("%v\n%s", err, lines)
		}
		wantCount(t, report, name, strconv.Itoa(len(sizes)))
		wantCount(t, report, "files not found", "0")
		wantCount(t, report, "conflict", "0")
	}
}

// filesOf returns the sizes of the files at Slack, by their ids.
func filesOf(t *testing.T, export string) map[string]int64 {
	t.Helper()
	days, err := filepath.Glob(filepath.Join(export, "*", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]int64{}
	for _, day := range days {
		var records []struct {
			Subtype string
			File    struct {
				ID       string
				Size     int64
				External bool `json:"is_external"`
			}
		}
		readFile(t, day, &records)
		for _, r := range records {
			if r.Subtype == "file_share" && !r.File.External {
				sizes[r.File.ID] = r.File.Size
			}
		}
	}
	return sizes
}

// foldersOf returns the rooms of an export's folders, by folder name.
func foldersOf(t *testing.T, export string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(export)
	if err != nil {
		t.Fatal(err)
	}
	rooms := map[string]string{}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		name := entry.Name()
		room := strings.Trim(strings.ReplaceAll(name, "_", "-"), "-")
		if _, err := os.Stat(filepath.Join(export, room)); err == nil && room != name {
			room += "-2"
		}
		rooms[name] = room
	}
	return rooms
}

// reactionsOfFiles returns the counts of the reactions to messages, and their sum.
func reactionsOfFiles(t *testing.T, export string) (counts map[string]int, total int) {
	t.Helper()
	counts = map[string]int{}
	for folder, room := range foldersOf(t, export) {
		days, err := filepath.Glob(filepath.Join(export, folder, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, day := range days {
			var records []struct {
				User, TS, Subtype string
				Reactions         []struct {
					Name  string
					Count int
				}
			}
			readFile(t, day, &records)
			for _, r := range records {
				if r.Subtype != "" && r.Subtype != "file_share" {
					continue
				}
				second, _, _ := strings.Cut(r.TS, ".")
				for _, kind := range r.Reactions {
					counts[strings.Join([]string{room, r.User, second, realEmoji()[kind.Name]}, " ")] += kind.Count
					total += kind.Count
				}
			}
		}
	}
	return counts, total
}

func readFile(t *testing.T, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// reactionsOfRooms returns the counts that the API shows in all pages of the rooms.
func reactionsOfRooms(t *testing.T, s *server, token string, rooms map[string]string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, room := range rooms {
		for cursor := ""; ; {
			var page struct {
				Items []struct {
					User       string
					ReceivedAt time.Time
					Reactions  []struct {
						Emoji string
						Count int
					}
				}
				Next string
			}
			address := s.url + "/rooms/" + room + "/messages?limit=200"
			if cursor != "" {
				address += "&cursor=" + url.QueryEscape(cursor)
			}
			if err := json.Unmarshal([]byte(mustCall(t, 200, "GET", address, token, "")), &page); err != nil {
				t.Fatal(err)
			}
			for _, m := range page.Items {
				for _, r := range m.Reactions {
					second := strconv.FormatInt(m.ReceivedAt.Unix(), 10)
					counts[strings.Join([]string{room, m.User, second, r.Emoji}, " ")] += r.Count
				}
			}
			if cursor = page.Next; cursor == "" {
				break
			}
		}
	}
	return counts
}
