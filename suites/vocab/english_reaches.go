package vocab

import "slices"

// messages are words of mail, of chat, of telephones, of queues that others read, and
// of what is published.
const messages = `
	send resend submit publish republish unpublish post repost crosspost notify invite uninvite reply respond answer
	forward broadcast multicast announce alert warn remind contact subscribe unsubscribe share email mail sms mms fax
	tweet retweet toot chat message dm call dial phone ring hangup redial ask prompt tell say speak greet whisper shout react
	emit produce enqueue queue push pull signal request petition escalate nudge poke syndicate advertise disseminate
	distribute transmit relay stream print sendmail`

// money are words of shops, of banks, of exchanges, of travel, and of whoever agrees.
const money = `
	book rebook order preorder buy purchase pay prepay repay charge recharge refund transfer deposit checkout
	bill invoice reimburse payout remit settle capture dispute redeem donate tip gift bid outbid bet wager gamble trade
	sell short stake unstake mint burn airdrop bridge invest divest liquidate spend debit credit wire rent hire
	ship deliver dispatch fulfil fulfill renew topup place issue auction confirm approve accept reject decline
	disapprove sign countersign notarize notarise ratify payment`

// ending are verbs that end what stands. As the only way to remove something of one's own they
// may mean no more than that it goes.
const ending = `
	withdraw cancel abort terminate`

// Ends reports whether a verb ends what stands.
func Ends(verb string) bool { return slices.Contains(fields(ending), verb) }

// running are words of shells, of programs and jobs, of containers, of version control
// with others, and of releases.
const running = `
	run rerun execute exec eval evaluate trigger retrigger schedule unschedule reschedule launch relaunch perform
	kill killall pkill resume pause unpause suspend halt stop start restart begin end continue retry invoke
	spawn process handle do deploy undeploy redeploy release rollout rollback rollforward restore recover provision
	deprovision decommission teardown scale autoscale upgrade downgrade install uninstall reinstall migrate promote
	demote failover switchover cordon uncordon build rebuild compile test benchmark bootstrap init initialize initialise
	reinitialize reinitialise reload reconfigure rebalance replay backup shell bash sh zsh powershell sudo su crontab
	fsck mkfs fdisk dd cherrypick defrag train retrain finetune automate orchestrate attack exploit inject bypass force
	act proceed crash quit exit bisect`

// serving are words of connections, of machines as a whole, and of whoever proves who
// he is.
const serving = `
	sync synchronize synchronise resync setup connect disconnect reconnect pair unpair listen serve tunnel ssh telnet
	curl wget rsync ftp sftp login logout logon logoff signin signout signup relogin authenticate reauthenticate
	authorize authorise deauthorize deauthorise impersonate close open checkin shutdown poweroff poweron power reboot
	boot wake sleep hibernate activation termination rescue lockdown`

// machines are words of homes and gardens, of vehicles and robots, of cameras, and of
// screens that somebody else looks at.
const machines = `
	turn switch dim brighten heat cool arm disarm buzz beep blink vibrate flash spin pump drive steer fly land takeoff
	dock undock navigate walk jump grip ungrip grab grasp lift lower raise press click doubleclick tap swipe type
	scroll hover drag fire shoot detonate explode ignite extinguish water irrigate feed vent inflate deflate mow
	patrol summon park honk accelerate brake calibrate jog weld drill mill extrude play cast spray dispense pour brew
	cook bake preheat wash dry unjam eject reach actuate energize energise deenergize photograph screenshot rewire`

// people are words of hospitals, of offices, of calendars, and of games that somebody
// else plays too.
const people = `
	prescribe administer medicate infuse vaccinate immunize immunise admit discharge refer operate intubate sedate
	resuscitate transfuse treat dose offboard unenroll layoff join leave rejoin rsvp attend
	kick expel challenge fight surrender resign give offer meet marry divorce arrest elect
	provide supply expose manage control`
