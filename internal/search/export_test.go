package search

// Shrink makes the parts of indexes so small that a test has many.
func (s *Service) Shrink() {
	s.sizes = sizes{blockText: 200, pageMessages: 7, saveChanges: 5, maxBehind: 40}
}
