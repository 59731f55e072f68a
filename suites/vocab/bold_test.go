package vocab

import (
	"strings"
	"testing"
	"time"
)

// Names that look like nouns, or like readings, and are verbs all the same. A careful
// reader does not call them.
func TestBoldNames(t *testing.T) {
	for _, name := range fields(`update_list update_info update_count update_search update_details change_list_name change_count change_details
		share_list share_details tag_list_item link_list lock_list review_search rate_list push_list deploy_list post_results
		post_details post_status log_info request_info build_list process_list process_info test_list index_list
		todo_update_list trello_archive_list trello_move_list app_update_search_index db_update_count crm_share_list_with
		main_door_open main_pump_start all_stop all_clear default_reset current_session_close current_song_play last_message_forward
		my_account_close list_update list_clear list_reset clear_text free_space free_memory next_page self_destruct first_run_start
		order_list_delete order_cancel order_update message_delete book_reserve backup_restore record_delete contact_update
		clear_list reset_list empty_list sort_list fill_list close_list open_list lock_search start_search run_list run_count
		run_export start_export stop_scan trigger_check schedule_export play_list_next read_and_reset count_and_clear
		get_then_set find_and_modify search_and_destroy view_or_edit check_then_pay listAndCancelAll get_and_then_permanently_delete
		notes.deleteAll notes.all.delete notes::purge user.password.reset v1/users/delete api.v2.orders.cancel
		deletesNote sendsMail REMOVE Remove-Item Stop-Process Start-VM Invoke-Command Set-Content New-Item Clear-Content
		rm-rf git.push docker:stop kubectl-delete aws_s3_rm npm_install pip_install apt_upgrade systemctl_restart
		DeleteItem PutItem BatchWriteItem SendMessage ReceiveMessage TerminateInstances RunInstances StopInstances CreateStack
		retweet unsubscribe unapprove reprioritize_issue resubmit_form uninstall_app unmerge_records redeliver_webhook`) {
		if got := NameEffect(name); got <= Reads {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Descriptions of operations with an effect that a hasty reader takes for readings.
func TestBoldDescriptions(t *testing.T) {
	for _, text := range []string{
		"Find the user and reset permissions",
		"Get the job and update its status",
		"Update details of the customer",
		"Order details are sent to the kitchen",
		"Gets the row and resets counters",
		"Fetches pending messages and acknowledges them",
		"Look up the order, then cancel it",
		"Reads and deletes.",
		"Returns the token. The old one is revoked.",
		"Lists all invoices. Also marks them as seen.",
		"Retrieves the secret; afterwards it is destroyed",
		"Get the current balance. This will transfer the rest.",
		"Search messages (and mark them as read)",
		"Use this to pay an invoice",
		"Allows you to delete a note",
		"Will remove the file",
		"Can be used to check. It deletes the file.",
		"Sends a mail",
		"sends a mail",
		"SENDS A MAIL",
		"Returns nothing. Deletes everything.",
		"- Deletes the row",
		"**Deletes** the row",
		"`delete_row`: deletes the row",
		"WARNING: deletes the row",
		"If the token is given, the note is deleted",
		"When called, the machine is restarted",
		"Reads the queue; consumed messages are gone. The queue is purged.",
		"Returns the note and deletes the copy",
		"Deletes, if it exists, the note",
		"Permanently and irrevocably deletes the note",
		"Zeigt die Notiz an und löscht sie dann",
		"Muestra la nota y la borra; se envía un correo",
		"Affiche la note puis supprime le fichier",
		"Mostra la nota e cancella il file",
		"Mostra a nota e apaga o arquivo",
		"Toont de notitie en verwijdert het bestand",
	} {
		if got := TextEffect(text); got <= Reads {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// What an adapter sends may be long and of any shape.
func TestLongTexts(t *testing.T) {
	for _, unit := range []string{"a", "order and ", "update list ", "Update,", "the note is ", "get_", "deleteX", "gibt ", "and then ", "a.b ", "`x", "(", "ö"} {
		long := strings.Repeat(unit, 1<<18/len(unit))
		began := time.Now()
		NameEffect(long)
		TextEffect(long)
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%q takes %v", unit, took)
		}
	}
	if got := NameEffect(strings.Repeat("note_", 1000) + "delete"); got != Removes {
		t.Errorf("a verb at the end of a long name: %v", got)
	}
}
