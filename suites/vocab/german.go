package vocab

// german are verbs in the infinitive, the imperative and the third person, written down
// from memory after the English tables. Verbs that part stand in partings as well.
var german = language{
	Reads: `gruppiere gruppieren holen hole hol holt abholen zeigen zeige zeig zeigt anzeigen anzeige listen liste auflisten listet suchen suche such
		sucht lesen lies liest finden finde findet abrufen abfragen frage fragt prüfen prüfe prüft vergleichen vergleiche
		vergleicht berechnen berechne berechnet zählen zähle zählt ermitteln ermittle ermittelt ausgeben anschauen ansehen
		durchsuchen durchsuche durchsucht exportieren exportiere exportiert herunterladen übersetzen übersetze übersetzt
		zusammenfassen schätzen schätze schätzt liefern liefere liefert nachschlagen laden lade lädt beschreiben
		beschreibe beschreibt auswerten umrechnen erklären erkläre erklärt validieren validiere validiert betrachten
		bestimmen bestimme bestimmt messen misst einsehen vorschau filtern filtere filtert hat ist kann
		auslesen verifizieren verifiziere verifiziert scannen scanne scannt analysieren analysiere analysiert sammeln vorhersagen
		erkennen erkenne erkennt identifizieren identifiziere summieren summiere`,
	Creates: `erstellen erstelle erstellt anlegen erzeugen erzeuge erzeugt hinzufügen speichern speichere speichert schreiben
		schreibe schreibt einfügen importieren importiere importiert hochladen registrieren registriere registriert
		eintragen kopieren kopiere kopiert generieren generiere generiert verfassen verfasse verfasst notieren notiere
		notiert aufnehmen protokollieren protokolliert duplizieren dupliziere dupliziert neu füge fügt anfügen
		klonen klone klont komprimieren komprimiere komprimiert entpacken entpacke entpackt aufzeichnen definieren definiere
		definiert sichern sichere sichert`,
	Changes: `ändern ändere ändert bearbeiten bearbeite bearbeitet aktualisieren aktualisiere aktualisiert setzen setze setzt
		umbenennen verschieben verschiebe verschiebt ersetzen ersetze ersetzt anpassen markieren markiere markiert sperren
		sperre sperrt entsperren entsperre entsperrt zuweisen zuordnen aktivieren aktiviere aktiviert deaktivieren
		deaktiviere deaktiviert verknüpfen verknüpfe verknüpft sortieren sortiere sortiert umschalten erhöhen erhöhe erhöht
		verringern verringere verringert abschließen vergeben reservieren reserviere reserviert mischen mische mischt
		verwalten quittieren quittiere quittiert überschreiben überschreibe überschreibt freigeben anheften bewerten
		bewerte bewertet erledigen erledige erledigt wechseln wechsle wechselt korrigieren korrigiere korrigiert legt lege
		nehmen nimm nimmt blockieren blockiere blockiert verlängern verlängere verlängert
		rotieren rotiere rotiert übernehmen übernimm übernimmt übernehme nächste nächstes nächster tauschen tausche tauscht
		vertauschen zusammenführen aufteilen ordnen ordne umordnen umsortieren zurücknehmen freischalten
		einfrieren verschlüsseln entschlüsseln anhängen füllen fülle füllt befüllen zuteilen abhaken konfigurieren konfiguriere
		konfiguriert drosseln wählen wähle wählt auswählen abstimmen folgen folge folgt entfolgen erlauben erlaube erlaubt verbieten
		verbiete ausleihen zurückgeben ausblenden einblenden verstecken verstecke stummschalten delegieren delegiere umleiten
		empfangen empfange empfängt ziehen ziehe zieht rückgängig wiedereröffnen inkrementieren dekrementieren normalisieren
		optimieren optimiere reparieren repariere repariert beanspruchen merken`,
	Removes: `löschen lösche lösch löscht entfernen entferne entfernt leeren leere leert archivieren archiviere archiviert
		verwerfen verwerfe verwirft zurücksetzen formatieren formatiere formatiert vernichten vernichte vernichtet
		zerstören zerstöre zerstört bereinigen bereinige bereinigt tilgen tilge tilgt widerrufen widerrufe widerruft
		aufräumen ausleeren austragen streichen streiche streicht schreddern schreddere schreddert löschung wegwerfen
		verbrauchen verbrauche verbraucht entnehmen entnimm entnimmt kürzen kürze kürzt reinigen reinige reinigt säubern säubere
		säubert putzen abschneiden schneiden schneide beschneiden verfallen ablaufen ausmisten kappen entwerten entwerte ungültig
		deregistrieren trimmen konsumieren konsumiere konsumiert abwählen`,
	Reaches: `senden sende sendet versenden versende versendet versandt abgesandt abgeschickt
		zugestellt geliefert ausgeliefert schicken schicke schickt verschicken verschicke verschickt
		absenden abschicken zahlen zahle zahlt bezahlen bezahle bezahlt kaufen kaufe kauft bestellen bestelle bestellt
		buchen buche bucht überweisen überweise überweist starten starte startet stoppen stoppe stoppt anhalten ausführen
		beenden beende beendet abbrechen öffnen öffne öffnet schließen schließe schließt einschalten ausschalten anmelden
		abmelden einloggen ausloggen veröffentlichen veröffentliche veröffentlicht benachrichtigen benachrichtige
		benachrichtigt einladen teilen teile teilt anrufen drucken drucke druckt wiederherstellen synchronisieren
		synchronisiere synchronisiert installieren installiere installiert deinstallieren verbinden verbinde verbindet
		trennen trenne trennt bestätigen bestätige bestätigt genehmigen genehmige genehmigt ablehnen stornieren storniere
		storniert kündigen kündige kündigt auslösen fahren fahre fährt bewegen bewege bewegt schalten schalte schaltet
		antworten antworte antwortet melden melde meldet erinnern erinnere erinnert planen plane plant einreichen
		auslagern verkaufen verkaufe verkauft erstatten erstatte erstattet spenden spende spendet aufrufen neustarten
		herunterfahren hochfahren mieten miete mietet verleihen abspielen spielen spiele spielt einstellen rufe ruft
		führe führt breche bricht übertragen übertrage überträgt überweisung
		stilllegen drehen drehe dreht wiederholen wiederhole wiederholt fortsetzen pausieren pausiere pausiert unterbrechen
		unterbreche unterbricht einrichten migrieren migriere migriert hochstufen herabstufen skalieren skaliere skaliert ausrollen
		bereitstellen zurückrollen testen teste testet bauen baue baut kompilieren auswerfen kühlen kühle heizen heize heizt dimmen
		dimme dimmt klingeln läuten rufen wecken wecke weckt aufwecken abonnieren abonniere abonniert abbestellen beitreten verlassen
		verlasse bewilligen bewillige einweisen entlassen entlasse verschreiben verabreichen verabreiche impfen operieren behandeln
		behandle bieten biete ersteigern wetten investieren investiere abheben einzahlen abbuchen einziehen rückerstatten begleichen
		begleiche versteigern vermieten vermiete einlösen authentifizieren authentifiziere autorisieren autorisiere signieren
		signiere signiert unterschreiben unterschreibe unterzeichnen eskalieren weiterleiten ausdrucken fotografieren fotografiere
		werfen schießen schieße zünden zünde gießen gieße bewässern bewässere mähen mähe fliegen fliege landen navigieren greifen
		greife heben senken senke drücken drücke klicken klicke tippen tippe tätigen tätige durchführen vornehmen aufgeben erteilen
		auftragen beauftragen beauftrage sprechen sprich spricht ansagen verarbeiten verarbeite verarbeitet
		belasten belaste wiederaufnehmen rebooten erzwingen erzwinge erzwingt umgehen befördern verbannen mahnen mahne
		anfordern fordere akzeptieren akzeptiere annehmen zusagen absagen`,
}

// partings are German verbs that part in a sentence: their front and what ends the
// clause. What parts otherwise has the effect of its front.
var partings = map[string]map[string]Effect{
	"gib":      ends("zurück aus an wieder", Reads, "frei", Changes, "auf", Reaches),
	"gibt":     ends("zurück aus an wieder", Reads, "frei", Changes, "auf", Reaches),
	"rufe":     ends("ab", Reads, "an auf", Reaches),
	"ruft":     ends("ab", Reads, "an auf", Reaches),
	"ruf":      ends("ab", Reads, "an auf", Reaches),
	"stelle":   ends("dar bereit", Reads, "ein um", Changes, "zu wieder an ab", Reaches),
	"stellt":   ends("dar bereit", Reads, "ein um", Changes, "zu wieder an ab", Reaches),
	"fasse":    ends("zusammen", Reads),
	"fasst":    ends("zusammen", Reads),
	"wertet":   ends("aus", Reads),
	"rechnet":  ends("um aus", Reads, "ab", Reaches),
	"schlägt":  ends("vor nach", Reads),
	"schlage":  ends("vor nach", Reads),
	"lege":     ends("an", Creates, "ab", Creates, "um", Changes, "auf", Reaches),
	"legt":     ends("an", Creates, "ab", Creates, "um", Changes, "auf", Reaches),
	"füge":     ends("hinzu ein an", Creates),
	"fügt":     ends("hinzu ein an", Creates),
	"trage":    ends("ein", Creates, "aus", Removes),
	"trägt":    ends("ein", Creates, "aus", Removes),
	"lade":     ends("herunter", Reads, "hoch", Creates, "ein auf", Reaches),
	"lädt":     ends("herunter", Reads, "hoch", Creates, "ein auf", Reaches),
	"nimm":     ends("auf", Creates, "an ab", Reaches),
	"nimmt":    ends("auf", Creates, "an ab", Reaches),
	"benenne":  ends("um", Changes),
	"benennt":  ends("um", Changes),
	"weise":    ends("zu", Changes, "an ab", Reaches),
	"weist":    ends("zu", Changes, "an ab", Reaches),
	"ordnet":   ends("zu um an", Changes),
	"passt":    ends("an", Changes),
	"passe":    ends("an", Changes),
	"hebt":     ends("auf", Removes),
	"hebe":     ends("auf", Removes),
	"setze":    ends("zurück", Removes, "fort aus", Reaches),
	"setzt":    ends("zurück", Removes, "fort aus", Reaches),
	"wirft":    ends("weg", Removes, "raus aus", Removes),
	"räumt":    ends("auf", Removes),
	"führe":    ends("auf", Reads, "aus durch", Reaches),
	"führt":    ends("auf", Reads, "aus durch", Reaches),
	"schließe": ends("ab", Changes, "an auf", Reaches),
	"schließt": ends("ab", Changes, "an auf", Reaches),
	"hält":     ends("an", Reaches),
	"halte":    ends("an", Reaches),
	"lehnt":    ends("ab", Reaches),
	"löst":     ends("aus ein", Reaches),
	"bricht":   ends("ab", Reaches),
	"reicht":   ends("ein", Reaches),
	"fährt":    ends("hoch herunter", Reaches),
	"sieht":    ends("an ein nach", Reads),
	"schaut":   ends("an nach", Reads),
}

// ends maps particles to effects.
func ends(list ...any) map[string]Effect {
	m := map[string]Effect{}
	for i := 0; i+1 < len(list); i += 2 {
		for _, w := range fields(list[i].(string)) {
			m[w] = list[i+1].(Effect)
		}
	}
	return m
}

// umlauted puts the umlauts back into the words of partings that lack them.
func umlauted(word string) string {
	if w, ok := respelt[word]; ok {
		return w
	}
	return word
}

// respelt finds the fronts and ends of partings by their other spellings.
var respelt = func() map[string]string {
	m := map[string]string{}
	add := func(word string) { m[Fold(word)], m[spread(word)] = word, word }
	for front, particles := range partings {
		add(front)
		for p := range particles {
			add(p)
		}
	}
	return m
}()
