package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/local/file"
	"example.com/parley/internal/local/signin"
)

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
