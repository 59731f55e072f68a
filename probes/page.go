package probes

import (
	"slices"
	"strings"
)

// The members by which pages are joined, as adapters name them.
var (
	cursorMembers = strings.Fields("endCursor end_cursor nextCursor next_cursor nextPageToken next_page_token next_token cursor")
	moreMembers   = strings.Fields("hasNextPage has_next_page hasMore has_more")
)

// NextCursor returns what stands for the next page in an answer; absent when nothing does.
func (v Value) NextCursor() Value { return v.MemberNamed(cursorMembers...) }

// HasMore returns what says whether there is another page; absent when nothing does.
func (v Value) HasMore() Value { return v.MemberNamed(moreMembers...) }

// MemberNamed returns the first member of one of the names, at any depth outside of lists.
func (v Value) MemberNamed(names ...string) Value {
	for _, m := range v.Members() {
		if slices.Contains(names, m.Name) {
			return m.Value
		}
		if inner := m.Value.MemberNamed(names...); !inner.Is(Absent) {
			return inner
		}
	}
	return Value{}
}

// LongestList is the length of the longest list that is not inside another list.
func (v Value) LongestList() int {
	n := len(v.Items())
	for _, m := range v.Members() {
		n = max(n, m.Value.LongestList())
	}
	return n
}
