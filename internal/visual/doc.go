// Package visual knows how texts look: which of them show nothing, which characters of a name are
// invisible, and which names look alike. It implements the parts of Unicode's security mechanisms
// (UTS 39) that names of people and rooms need. Its table is Unicode's confusables.txt, which is under
// the Unicode License v3; scripts/confusables writes it.
package visual
