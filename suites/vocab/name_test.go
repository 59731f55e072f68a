package vocab

import "testing"

// harmless are names of READ operations, written down before the tables were tried on
// them. None of them may be taken for more than a reading.
const harmless = `
	get_note getNote GetNote get-note notes.get notes/get NOTES::GET get_order list_books get_update list_deleted_notes
	get_settings count_calls get_next_ticket list_running_jobs list_notes search_notes find_user read_file fetchPage
	view_cart show_status retrieve_message query_logs lookup_user describe_table introspect check_status validate_address
	validateX preview_delete compare summarize calculate convert_units parse_date render_page resolve_host export_notes
	download_report dump_schema diff_versions explain_plan ping whoami notes status weather orders users current_user
	getUserByID listAllOrders LIST_ORDERS orders.list order.list posts/list post.search message_get_by_id user_info
	server_time system_status health_check healthCheck disk_usage debug_dump debug_info dump_state get_config get_version
	list_operations help version about capabilities latest_release last_order current_state top_tracks audit_log
	price_list sales_report site_map github_get_release github_list_issues slack_get_messages kubectl_get_pods
	catalogue_search catalog_find journal_list order_history order_get book_search book_list call_history backup_list release_notes exchange_rates free_busy
	search_and_count count_by_status find_by_name has_access is_locked can_delete_note exists is_open should_retry
	how_to_reset what_changed who_is_online note_count notesCount word_count weather_forecast forecast analyze_text
	estimate_price predict_demand translate_text identify_species identify_language suggest_titles recommend_books
	match_profiles filter_orders select_rows scan_table aggregate_sales trace_request browse_catalog enumerate_users
	get_lock get_book getPostByTitle list_sent_mails list_open_issues find_released_versions get_deployment
	list_transfers get_payment_status count_purchases search_flights get_door_state read_sensor read_register
	hole_notiz holeNotiz zeige_liste zeigeNotizen liste_notizen suche_notizen lies_datei finde_kunde notizen_auflisten
	notiz_lesen kunden_suchen pruefe_status prüfe_adresse berechne_summe zaehle_notizen zeige_geloeschte_notizen rufe_daten_ab
	obtener_nota obtenerNota listar_notas buscar_cliente mostrar_estado leer_archivo consultar_saldo notas_listar
	listar_notas_eliminadas ver_pedido contar_pedidos obtenir_note lister_notes chercher_client afficher_statut
	lire_fichier compter_notes trouver_livre notes_lister ottenere_nota elencare_note cercare_cliente mostra_stato
	leggi_file conta_note obter_nota listar_pedidos procurar_cliente ler_arquivo mostrar_estado haal_notitie_op
	github_get_release github_list_branches notion_search_pages google_maps_place_details jira_get_issue_by_key
	customer_order_list latest_release_date drive_list_files toon_lijst zoek_klant lees_bestand tel_notities notities_tonen`

func TestHarmlessNames(t *testing.T) {
	names := fields(harmless)
	if len(names) < 120 {
		t.Errorf("%d names", len(names))
	}
	for _, name := range names {
		if got := NameEffect(name); got > Reads {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// harmful are names of operations with an effect, written down in the same way: they are
// grouped by what the most careful reader could say of them.
var harmful = map[Effect]string{
	Creates: `create_note createNote notes.create CREATE_NOTE add_item new_note newNote insert_row register_user upload_file
		import_contacts record_step log_event save_draft store_value write_file put_object append_line make_folder mkdir
		copy_file clone_repo duplicate_page fork_repo snapshot_volume draft_letter generate_invoice annotate_page note_create
		get_or_create fetch_and_add findOrCreate erstelle_notiz notiz_anlegen notizAnlegen fuege_eintrag_hinzu crear_nota nota_crear
		creer_note créerNote creare_nota criar_nota maak_notitie lege_notiz_an`,
	Changes: `update_note updateNote note.update set_title rename_file move_note mark_read mark touch_file toggle_flag next_ticket
		claim_task ack_message reserve_seat lock_row rotate_key increment_counter incr unlock_gate merge_branches patch_issue edit_page
		change_owner replace_text reorder_list sort_inbox assign_task tag_note link_account enable_feature disable_user
		untrash_note upsert_row overwrite_file chmod chown_file rebase_branch commit_changes squash amend_commit
		follow_user like_post vote_poll rate_movie hide_post pin_note snooze_alarm dismiss_alert complete_task finish_step
		draw_card roll_dice take_item getset compare_and_swap read_modify_write receive_message refresh_token
		github_merge_pull_request jira_update_issue google_calendar_update_event shopping_list_update fan_speed_set
		count_down search_replace encrypt_file resolve_ticket resolveIncident aendere_notiz ändereNotiz notiz_bearbeiten
		actualizar_nota modifier_note modificare_nota atualizar_nota wijzig_notitie benenne_datei_um`,
	Removes: `delete_note deleteNote delete-item notes.delete DELETE_ALL note_delete admin.purge admin/purge purgeCache purge
		cacheFlush cache_flush flush_queue dropTable drop_database remove_user erase_disk wipe_device clear_history truncate_table
		empty_trash trash_note archive_note expire_session pop_message pop dequeue_job consume_message get_and_delete
		fetchAndRemove read_then_delete list_and_purge get&delete get_or_remove reset reset_password format format_disk rm rm_rf
		rmdir unlink_file discard_draft drain_queue invalidate_cache revoke_token shred_note prune_images garbage_gc
		bulk_delete_notes hard_delete soft_delete_note mcp_delete_note user_delete_account db_drop_table
		redis_flushall DELETE deletenote DELETEALL please_delete_note list_delete view_remove check_and_clear getdel
		permanently_delete_note deletesNote account_deletion admin_reset_counter shopping_list_clear cache_clear table_index_drop log_purge throw_away_note clean_up_files vacuum_table
		loesche_notiz löscheNotiz notiz_loeschen NotizLöschen alle_notizen_entfernen leere_papierkorb setze_passwort_zurueck
		eliminar_nota borrar_todo nota_eliminar supprimer_note note_supprimer effacer_tout vider_corbeille eliminare_nota
		cancella_file excluir_nota limpar_tudo remover_item verwijder_notitie notitie_verwijderen wis_alles
		suche_und_loesche buscar_y_borrar chercher_et_supprimer hole_und_entferne`,
	Reaches: `send_mail sendMail mail.send SEND_SMS submit_form publish_post post_tweet post_message notify_owner invite_user
		book_flight order_book order_pizza buy_ticket purchase_item pay_invoice charge_card refund_payment transfer_money
		transferFunds withdraw_cash deposit_check checkout_cart checkout deploy_app deploy release_version restore_backup
		sync_calendar sync setup_account connect_device authorize_app login logout user_logout log_in sign_up sign_out
		start_job run_query run exec_sql execute_script executeSQL eval_code trigger_build schedule_meeting launch_rocket
		stop_server kill_process abort_run cancel_order resume_job pause_job restart_service reboot shutdown shut_down power_off
		open_door close_valve  turn_on_light switch_off_heater dim_lights move_arm move_robot fly_to land_drone
		start_engine pump_water water_plants press_button click_element type_text fire_missile print_label scale_cluster
		install_package upgrade_firmware migrate_database promote_replica rollback_release roll_back git_push pushChanges
		pull_changes docker_run kubectl_exec helm_install dispense_drug administer_dose prescribe_drug admit_patient call_customer
		dial_number answer_call reply_to_thread forward_mail broadcast_message subscribe_topic share_document sign_contract
		approve_request reject_offer confirm_booking accept_invite take_photo make_payment make_call play_music hire_candidate
		enqueue_job queue_task emit_event invoke_function call_tool process_payment perform_action do_it test_webhook
		summarize_and_send get_and_email fetch_then_publish sql_query shell sudo bash_command force_delete_note apagar_tudo ssh_connect shell_exec
		docker_stop_container stripe_charge_card bank_transfer_money slack_post_message k8s_restart_pod google_calendar_send_invite
		browser_click page_navigate light_switch car_start door_open job_run user_sign_in check_in_guest check_guest_out
		get_quote_and_buy export_to_s3 set_thermostat set_off_alarm lock_door stake_tokens swap_and_send mint_token
		sende_mail sendeNachricht mail_versenden starte_motor bestelle_pizza bezahle_rechnung ueberweise_geld tuer_oeffnen
		fuehre_befehl_aus schalte_licht_ein enviar_correo envia_mensaje pagar_factura comprar_boleto ejecutar_tarea abrir_puerta
		envoyer_courriel payer_facture acheter_billet lancer_travail ouvrir_porte inviare_posta pagare_conto eseguire_comando
		aprire_porta pagar_conta executar_tarefa ligar_motor verzend_mail betaal_factuur start_motor voer_opdracht_uit`,
}

func TestHarmfulNames(t *testing.T) {
	n := 0
	for effect, list := range harmful {
		for _, name := range fields(list) {
			n++
			if got := NameEffect(name); got != effect {
				t.Errorf("%s: %v, want %v", name, got, effect)
			}
		}
	}
	if n < 180 {
		t.Errorf("%d names", n)
	}
}

// Names that a category tolerates or does not tolerate because of the effect they have.
func TestEffectOfVerbs(t *testing.T) {
	for effect, list := range map[Effect]string{
		None:    "note notes status weather orders item user data folder settings name id type_ current pending closed running",
		Creates: "create add new insert register upload import record log save store write put append make copy",
		Changes: "mark touch toggle claim ack reserve lock rotate next set update rename move edit patch merge",
		Removes: "delete remove archive trash expire pop dequeue consume flush purge clear drop truncate reset destroy wipe format",
		Reaches: "versandt zugestellt submit send publish post notify invite book order buy pay charge transfer deploy release restore sync setup connect authorize login start run execute trigger schedule cancel stop force bypass",
		Reads:   "get list show find search count check validate preview compare summarize calculate convert parse render resolve export download dump diff explain ping whoami",
	} {
		for _, w := range fields(list) {
			if got := EffectOf(w); got != effect {
				t.Errorf("%s: got %v, want %v", w, got, effect)
			}
		}
	}
}
