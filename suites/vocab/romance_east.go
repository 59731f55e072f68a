package vocab

// french are verbs in the infinitive, the imperative and the third person, written down
// from memory after the English tables. Words that are English nouns are left out.
var french = language{
	Reads: `regroupe regrouper obtenir obtiens obtient obtenez lister listez chercher cherche cherchez rechercher recherche afficher affiche affichez
		lire lis lit lisez trouver trouve trouvez montrer montre montrez voir voit voyez consulter consulte consultez
		compter compte vérifier vérifie vérifiez valider valide calculer calcule comparer récupérer récupère renvoie
		renvoyer retourner retourne exporter exporte décrire décrit résumer résume traduire traduit expliquer explique
		examiner analyser analysez filtrer filtre estimer estime télécharger télécharge convertir convertit parcourir
		parcourt localiser localise détecter détecte indiquer indique énumérer énumère
		évaluer identifier identifie reconnaître prédire prédit suggérer suggère recommander recommande mesurer extraire
		extrait`,
	Creates: `créer crée créez ajouter ajoute ajoutez insérer insère insérez enregistrer enregistre enregistrez écrire écris écrit
		écrivez importer importe téléverser téléverse copier copie dupliquer duplique générer génère rédiger rédige
		sauvegarder sauvegarde inscrire inscrit stocker stocke cloner clone nouveau nouvelle noter
		compresser décompresser répliquer documenter consigner consigne joindre joint`,
	Changes: `modifier modifie modifiez changer changez éditer édite mettre mets met mettez actualiser actualise déplacer déplace
		déplacez renommer renomme renommez remplacer remplace remplacez attribuer attribue affecter affecte marquer
		verrouiller verrouille déverrouiller déverrouille trier trie activer activez désactiver désactive définir définit
		ajuster ajuste incrémenter incrémente terminer termine réserver réserve basculer bascule fusionner fusionne lier
		combiner combine augmenter augmente diminuer diminue prendre prend corriger corrige configurer configure bloquer
		bloque débloquer débloque rétablir réordonner assigner assigne mélanger mélange
		reconstruire reconstruit réclamer réclame suivant suivante avancer décrémenter décrémente échanger échange étiqueter délier
		diviser divise chiffrer chiffre déchiffrer masquer masque suivre suit choisir choisit sélectionner
		sélectionne optimiser réparer répare recevoir reçoit libérer libère défaire refaire inverser écraser écrase
		réindexer rafraîchir rafraîchit geler gèle permettre refuser refuse recalculer pivoter pivote permuter
		acquitter acquitte reclasser réassigner`,
	Removes: `supprimer supprime supprimez effacer efface effacez retirer enlever enlève vider vide videz nettoyer nettoie
		archiver archivez purger détruire détruit formater formate réinitialiser réinitialise révoquer révoque jeter jette
		éliminer élimine abandonner ôter suppression expirer
		drainer draine consommer consomme tronquer tronque expire invalider invalide élaguer élague couper coupe dépiler dépile
		défiler oublier oublie désinscrire désenregistrer raccourcir broyer broie écarter`,
	Reaches: `envoyer envoie envoyez payer paie paye payez acheter achète achetez commandez transférer transfère
		exécuter exécute exécutez lancer lancez démarrer démarre démarrez arrêter arrête arrêtez annuler annule annulez
		ouvrir ouvre ouvrez fermer ferme fermez publier publie publiez notifier notifie inviter invitez appeler appelle
		partager partage imprimer imprime restaurer restaure synchroniser synchronise déployer déploie
		désinstaller désinstalle connecter connecte déconnecter déconnecte autoriser autorise authentifier authentifie
		confirmer confirme approuver approuve rejeter rejette accepter allumer allume éteindre éteint redémarrer redémarre
		planifier planifie répondre répond prévenir prévient rembourser rembourse vendre vend louer loue livrer livre
		soumettre soumet signer signe virer débiter débite jouer joue déclencher déclenche avertir avertit facturer
		transmettre transmet réimprimer suspendre suspend reprendre
		éjecter éjecte expulser expulse migrer promouvoir promeut rétrograder construire construit compile pauser
		reprend continuer tuer tue forcer force invoquer invoque traiter traite effectuer effectue faire fais réaliser réalise
		miser parier investir investit déposer dépose émettre émet liquider liquide prescrire prescrit administrer administre
		vacciner voler atterrir naviguer saisir saisit baisser baisse appuyer appuie cliquer clique parler parle dire annoncer
		annonce diffuser diffuse embaucher licencier rejoindre rejoint quitter quitte abonner abonne désabonner arroser arrose
		chauffer refroidir conduire conduit garer photographier enfiler empiler empile encaisser encaisse régler règle tourner tourne
		délivrer provisionner expédier expédie contacter`,
}

// italian are verbs in the same forms, written down in the same way.
var italian = language{
	Reads: `raggruppa raggruppare ottenere ottieni ottiene elencare elenca cercare cerca mostrare mostra leggere leggi legge trovare trova ricercare
		visualizzare visualizza vedere vedi vede consultare consulta contare conta verificare verifica validare valida
		controllare controlla calcolare calcola confrontare confronta recuperare recupera restituire restituisce restituisci
		esportare esporta descrivere descrive descrivi riassumere riassume tradurre traduce spiegare spiega esaminare
		esamina analizzare analizza filtrare filtra stimare stima scaricare scarica convertire converte lista listare
		localizzare localizza rilevare rileva indicare indica
		valutare valuta scansionare identificare identifica riconoscere prevedere prevede suggerire suggerisce raccomandare misurare
		misura sommare`,
	Creates: `creare crea aggiungere aggiungi aggiunge inserire inserisci inserisce salvare salva scrivere scrivi scrive importare
		importa caricare carica registrare registra copiare copia duplicare duplica generare genera redigere redige annotare
		annota memorizzare memorizza clonare clona nuovo nuova allegare
		comprimere decomprimere replicare documentare documenta iscrivere iscrive`,
	Changes: `aggiornare aggiorna modificare modifica cambiare cambia spostare sposta rinominare rinomina sostituire sostituisci
		sostituisce assegnare assegna contrassegnare contrassegna segnare segna bloccare blocca sbloccare sblocca ordinare
		ordina attivare attiva disattivare disattiva impostare imposta regolare regola incrementare incrementa completare
		completa terminare termina prenotare prenota commutare alternare unire unisci unisce collegare collega combinare
		combina mettere metti mette aumentare aumenta diminuire correggere corregge configurare configura abilitare abilita
		disabilitare disabilita prendere prendi prende
		ricostruire ricostruisce reclamare reclama successivo prossimo prossima avanzare decrementare decrementa scambiare scambia
		etichettare dividere divide cifrare decifrare nascondere nasconde seguire segue votare scegliere
		sceglie selezionare seleziona ottimizzare riparare ripara rinviare rinvia ricevere riceve liberare libera disfare rifare
		sovrascrivere reindicizzare ruotare ruota congelare permettere permette negare nega ricalcolare riordinare riordina
		rivendicare assumere`,
	Removes: `eliminare elimina cancellare cancella rimuovere rimuovi rimuove togliere togli toglie svuotare svuota pulire pulisci
		pulisce archiviare archivia distruggere distruggi distrugge formattare formatta azzerare azzera
		revocare revoca scartare scarta annullare annulla eliminazione cestinare cestina
		drenare drena consumare consuma estrarre estrae troncare tronca scadere invalidare invalida potare tagliare taglia
		disiscrivere dimenticare dimentica resettare resetta smaltire buttare butta`,
	Reaches: `inviare invia spedire spedisci spedisce mandare manda pagare paga comprare acquistare acquista trasferire
		trasferisci trasferisce eseguire esegui esegue avviare avvia fermare ferma arrestare arresta lanciare lancia aprire
		apri apre chiudere chiudi chiude pubblicare pubblica notificare notifica invitare invita chiamare chiama condividere
		condividi condivide stampare ripristinare ripristina sincronizzare sincronizza distribuire distribuisce
		installare installa disinstallare disinstalla connettere connetti connette disconnettere disconnette autorizzare
		autorizza autenticare autentica confermare conferma approvare approva rifiutare rifiuta accettare accetta accendere
		accendi accende spegnere spegni spegne riavviare riavvia pianificare pianifica rispondere rispondi risponde
		rimborsare rimborsa vendere vendi vende noleggiare noleggia consegnare consegna firmare
		riprodurre riproduce inoltrare inoltra versare versa addebitare addebita avvisare avvisa
		espellere espelle scalare migrare migra promuovere promuove costruire costruisce compilare compila testare sospendere
		sospende riprendere riprende continuare continua uccidere forzare forza invocare elaborare elabora fare effettuare effettua
		realizzare realizza scommettere scommette investire investe prelevare preleva depositare deposita emettere
		emette liquidare prescrivere somministrare vaccinare volare atterrare navigare afferrare alzare alza abbassare abbassa
		premere preme cliccare parlare parla dire annunciare annuncia trasmettere trasmette licenziare unirsi uscire abbonare
		annaffiare riscaldare raffreddare guidare parcheggiare fotografare accodare fatturare saldare girare gira`,
}

// dutch are verbs as stem, infinitive and third person, written down in the same way.
var dutch = language{
	Reads: `haal haalt halen ophalen toon toont tonen lijst oplijsten zoek zoekt zoeken lees leest lezen vind vindt vinden bekijk
		bekijkt bekijken tel telt tellen controleer controleert controleren valideer valideren bereken berekent berekenen
		vergelijk vergelijkt vergelijken exporteer exporteert exporteren beschrijf beschrijft beschrijven vertaal vertaalt
		vertalen opvragen opzoeken weergeven geeft samenvatten downloaden schat schatten filteren analyseer analyseert
		analyseren raadpleeg raadplegen
		evalueren scannen identificeren herkennen voorspellen voorspel meten meet `,
	Creates: `maak maakt maken aanmaken voegt toevoegen invoegen opslaan schrijf schrijft schrijven importeer importeert importeren
		uploaden registreer registreert registreren kopieer kopieert kopiëren dupliceer dupliceren genereer genereert
		genereren noteer noteert noteren bewaar bewaart bewaren nieuw nieuwe
		comprimeren uitpakken repliceren documenteren vastleggen`,
	Changes: `wijzig wijzigt wijzigen bewerk bewerkt bewerken veranderen verandert verander bijwerken zet zetten instellen hernoem
		hernoemt hernoemen verplaats verplaatst verplaatsen vervang vervangt vervangen toewijzen markeer markeert markeren
		vergrendel vergrendelt vergrendelen ontgrendel ontgrendelen sorteer sorteert sorteren activeer activeert activeren
		deactiveer deactiveert deactiveren aanpassen verhoog verhoogt verhogen verlaag verlagen voltooi voltooit voltooien
		reserveer reserveert reserveren koppel koppelt koppelen samenvoegen neem neemt nemen blokkeer blokkeert blokkeren
		werk werkt pas
		roteren roteer claimen claim volgende ophogen ruilen ruil etiketteren loskoppelen splitsen groeperen versleutelen
		ontsleutelen verbergen verberg volgen volg stemmen kiezen kies selecteren selecteer optimaliseren repareren repareer
		uitstellen ontvangen ontvang vrijgeven ongedaan herschikken bevriezen toestaan weigeren weiger herberekenen`,
	Removes: `verwijder verwijdert verwijderen wis wist wissen leeg leegt legen leegmaken archiveer archiveert archiveren vernietig
		vernietigt vernietigen formatteer formatteert formatteren opruimen schrap schrapt schrappen intrekken
		weggooien verwijdering
		draineren consumeren consumeer afkappen verlopen ongeldig snoeien knippen uitschrijven vergeten vergeet resetten reset`,
	Reaches: `verzend verzendt verzenden stuur stuurt sturen versturen betaal betaalt betalen koop koopt kopen bestel bestelt
		bestellen boek boekt boeken voer voert uitvoeren starten stoppen annuleer annuleert annuleren openen opent
		sluit sluiten publiceer publiceert publiceren meld meldt melden uitnodigen bel belt bellen deel deelt delen afdrukken
		druk herstel herstelt herstellen synchroniseer synchroniseert synchroniseren installeer installeert installeren
		verbind verbindt verbinden inloggen uitloggen aanmelden afmelden bevestig bevestigt bevestigen keur goedkeuren
		afwijzen schakel schakelt inschakelen uitschakelen aanzetten uitzetten herstart herstarten plannen beantwoord
		beantwoorden verkoop verkoopt verkopen huur huren overmaken overschrijven terugbetalen levert leveren
		onderteken ondertekenen verstuur verstuurt
		uitwerpen opschalen migreren migreer bouwen bouw compileren pauzeren pauzeer hervatten hervat doorgaan doden forceren forceer
		aanroepen verwerken verwerk doen doe wedden investeren storten stort opnemen voorschrijven toedienen vliegen landen
		navigeren grijpen drukken klikken klik spreken zeggen aankondigen aannemen ontslaan deelnemen abonneren beregenen verwarmen
		koelen rijden parkeren fotograferen factureren uitrollen stop doorsturen`,
}
