package model

// InRound returns the adapter as a case sees it that is asked again: all that is known of it, and test
// objects that no earlier round has made.
func (f *Adapter) InRound(round int) *Adapter {
	if known, ok := f.rounds.Load(round); ok {
		return known.(*Adapter)
	}
	again, _ := f.rounds.LoadOrStore(round, &Adapter{
		Adapter: f.Adapter, Nonce: f.Nonce, May: f.May, Gen: f.Gen, KnownGood: f.KnownGood, Absent: f.Absent, Other: f.Other, Label: f.Label,
		TargetLevel: f.TargetLevel, Hints: f.Hints, Today: f.Today, Round: round, Gate: f.Gate, Rules: f.Rules, provenKeys: f.provenKeys, Sleep: f.Sleep,
		Scalars: f.Scalars, scalarsFor: f.scalarsFor, ObjectKinds: f.ObjectKinds, fits: f.fits, unfit: f.unfit, parents: f.parents,
		TooLarge: f.TooLarge, Unsearched: f.Unsearched, Cut: f.Cut, explored: f.explored,
	})
	return again.(*Adapter)
}
