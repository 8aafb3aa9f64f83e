// Package visual knows how texts look: which of them show nothing, which characters of a name are
// invisible, and which names look alike. It implements the parts of Unicode's security mechanisms
// (UTS 39) that names need. Its table is made of Unicode's confusables.txt, which is under the
// Unicode License v3. The script scripts/confusables writes it. ADR 84 has the reasons.
package visual
