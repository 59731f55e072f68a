package vocab

// spanish are verbs in the infinitive, the imperative and the third person, written down
// from memory after the English tables. Words that are English nouns are left out.
var spanish = language{
	Reads: `agrupa agrupar obtener obtén obtiene obtenga listar lista liste enumerar enumera buscar busca busque mostrar muestra muestre leer lee
		lea consultar consulta consulte encontrar encuentra ver ve vea visualizar visualiza contar cuenta comprobar comprueba
		verificar verifica verifique validar valida calcular calcula comparar compara recuperar recupera devolver devuelve
		exportar exporta describir describe resumir resume traducir traduce explicar explica examinar examina analizar
		analiza filtrar filtra estimar estima descargar descarga convertir convierte traer trae localizar localiza
		inspeccionar inspecciona explorar explora detectar detecta retornar retorna indica indicar
		escanear escanea evaluar evalúa identificar identifica reconocer reconoce predecir predice sugerir sugiere recomendar
		recomienda sumar suma medir`,
	Creates: `crear crea cree añadir añade añada agregar agrega agregue insertar inserta guardar guarda guarde escribir escribe
		importar importa subir sube registrar registra registre copiar copia duplicar duplica generar genera redactar redacta
		anotar anota almacenar almacena adjuntar clonar clona nuevo nueva
		comprimir comprime descomprimir descomprime replicar replica grabar graba definir apuntar documentar documenta
		sembrar inscribir inscribe`,
	Changes: `actualizar actualiza actualice modificar modifica modifique cambiar cambia cambie editar edita edite mover mueve
		mueva renombrar renombra reemplazar reemplaza asignar asigna marcar marca marque bloquear bloquea desbloquear
		desbloquea ordenar ordena activar activa desactivar desactiva establecer establece fijar fija ajustar ajusta
		incrementar incrementa disminuir completar completa finalizar finaliza reservar reserva alternar alterna combinar
		combina fusionar fusiona vincular vincula sustituir sustituye poner pon pone aumentar aumenta reordenar tomar toma
		corregir corrige mezclar mezcla configurar configura habilitar habilita deshabilitar deshabilita rotar rota
		reconstruir reconstruye reclamar reclama siguiente avanzar avanza decrementar decrementa intercambiar intercambia
		acusar desasignar etiquetar etiqueta desvincular desvincula dividir divide cifrar cifra descifrar
		descifra ocultar oculta seguir sigue votar puntuar elegir elige seleccionar selecciona optimizar optimiza reparar repara
		prorrogar posponer pospone aplazar aplaza recibir recibe liberar libera asegurar deshacer deshace rehacer rehace revertir
		revierte sobrescribir sobrescribe reindexar reindexa refrescar refresca congelar congela silenciar silencia permitir permite
		denegar deniega recalcular recalcula normalizar normaliza redirigir`,
	Removes: `eliminar elimina elimine borrar borra borre quitar quita quite suprimir suprime vaciar vacía vacíe limpiar limpia
		archivar archiva archive purgar purga destruir destruye formatear formatea restablecer restablece descartar descarta
		revocar revoca anular anula remover remueve retirar retira triturar tritura caducar desechar
		eliminación
		drenar drena consumir consume extraer extrae truncar trunca expirar expira invalidar invalida desregistrar podar
		poda recortar recorta desencolar desencola sacar saca tirar tira arrojar resetear resetea reinicializar olvidar
		olvida cortar corta`,
	Reaches: `enviar envía envíe mandar manda pagar paga pague comprar compra compre cobrar cobra transferir transfiere
		transfiera pedir pide reenviar reenvía ejecutar ejecuta ejecute iniciar inicia inicie detener detiene lanzar lanza
		arrancar arranca parar cancelar cancela cancele abrir abre abra cerrar cierra cierre publicar publica publique
		notificar notifica notifique invitar invita llamar llama compartir comparte imprimir imprime restaurar restaura
		sincronizar sincroniza desplegar despliega instalar instala desinstalar desinstala conectar conecta desconectar
		desconecta autorizar autoriza autenticar autentica confirmar confirma aprobar aprueba rechazar rechaza aceptar
		acepta encender enciende apagar apaga reiniciar reinicia programar programa responder responde avisar avisa
		reembolsar reembolsa vender vende donar dona alquilar alquila entregar entrega suscribir suscribe firmar
		reproducir reproduce solicitar solicita agendar agenda depositar deposita disparar dispara
		expulsar expulsa escalar escala migrar migra promover promueve degradar construir construye compilar compila probar prueba
		pausar pausa reanudar reanuda continuar continúa terminar termina matar mata forzar fuerza invocar invoca procesar procesa
		hacer haz hace realizar realiza efectuar efectúa marcharse girar gira subastar pujar apostar apuesta
		invertir invierte ingresar ingresa emitir emite liquidar liquida prescribir administrar administra
		vacunar volar aterrizar navegar agarrar levantar levanta bajar baja pulsar pulsa presionar presiona hablar
		habla decir anunciar anuncia difundir difunde reclutar contratar contrata despedir unirse salir suscribirse retransmitir
		regar riega calentar enfriar atenuar atenúa conducir conduce estacionar fotografiar desuscribir encolar encola
		empujar empuja saldar abonar abona facturar convocar provisionar respaldar respalda dar encargar encarga contestar
		contesta`,
}

// portuguese are verbs in the same forms, written down in the same way.
var portuguese = language{
	Reads: `agrupa agrupar obter obtém obtenha listar lista liste buscar busca busque mostrar mostra mostre ler lê leia procurar procura
		pesquisar pesquisa encontrar encontra consultar consulta ver vê veja visualizar visualiza contar conta verificar
		verifica validar valida calcular calcula comparar compara retornar retorna devolver devolve exportar exporta
		descrever descreve resumir resume traduzir traduz explicar explica analisar analisa filtrar filtra exibir exibe
		baixar baixa converter converte trazer traz localizar localiza recuperar recupera estimar estima examinar
		examina explorar explora detectar detecta indicar indica
		avaliar avalia escanear identificar identifica reconhecer prever sugerir sugere recomendar recomenda somar soma medir mede
		extrair extrai`,
	Creates: `criar cria crie adicionar adiciona adicione inserir insere insira salvar salva salve guardar guarda escrever
		escreve importar importa registrar registra registre cadastrar cadastra copiar copia duplicar duplica gerar gera gere
		redigir redige anotar anota armazenar armazena gravar grava clonar clona novo nova incluir inclui
		comprimir descomprimir replicar documentar documenta anexar anexa`,
	Changes: `atualizar atualiza atualize modificar modifica modifique mudar muda alterar altera altere editar edita edite mover
		move mova renomear renomeia substituir substitui atribuir atribui marcar marca marque bloquear bloqueia desbloquear
		desbloqueia ordenar ordena ativar ativa desativar desativa definir ajustar ajusta incrementar incrementa
		completar completa concluir conclui finalizar finaliza reservar reserva alternar alterna combinar combina mesclar
		mescla vincular vincula trocar troca aumentar aumenta diminuir corrigir corrige configurar configura habilitar
		habilita desabilitar desabilita tomar toma
		reconstruir reivindicar próximo próxima seguinte avançar avança decrementar decrementa desatribuir etiquetar desvincular
		dividir divide criptografar descriptografar ocultar oculta seguir segue votar escolher escolhe selecionar
		seleciona otimizar reparar repara adiar adia receber recebe liberar libera desfazer desfaz refazer refaz reverter reverte
		sobrescrever reindexar girar gira rotacionar rotaciona congelar silenciar permitir permite negar nega recalcular reordenar
		reordena assumir assume `,
	Removes: `excluir exclui exclua eliminar elimina elimine apagar apaga apague remover remove remova deletar deleta limpar
		limpa limpe esvaziar esvazia arquivar arquiva purgar purga destruir destrói formatar formata redefinir redefine
		descartar descarta revogar revoga anular anula retirar retira suprimir suprime triturar tritura exclusão
		drenar drena consumir consome truncar trunca expirar expira invalidar invalida podar poda cortar corta desenfileirar tirar
		tira resetar reseta esquecer esquece descadastrar `,
	Reaches: `enviar envia envie mandar manda pagar paga pague comprar compra compre cobrar cobra transferir transfere pedir
		pede reenviar reenvia executar executa execute iniciar inicia inicie parar pare lançar lança cancelar cancela
		cancele abrir abre abra fechar fecha feche publicar publica publique notificar notifica convidar convida chamar
		chama ligar liga ligue desligar desliga desligue compartilhar compartilha partilhar partilha imprimir imprime
		restaurar restaura sincronizar sincroniza implantar implanta instalar instala desinstalar desinstala conectar
		conecta desconectar desconecta autorizar autoriza autenticar autentica confirmar confirma aprovar aprova rejeitar
		rejeita aceitar aceita reiniciar reinicia agendar agenda programar programa responder responde avisar avisa
		reembolsar reembolsa vender vende doar doa alugar aluga entregar entrega assinar assina tocar toca solicitar
		solicita depositar deposita disparar dispara encerrar encerra
		escalar escala migrar migra promover promove construir constrói compilar compila testar testa pausar pausa retomar retoma
		continuar continua matar mata forçar força invocar invoca processar processa fazer faz faça realizar realiza efetuar efetua
		leiloar apostar aposta investir investe sacar saca emitir emite liquidar liquida prescrever prescreve administrar vacinar
		voar pousar navegar agarrar levantar levanta pressionar pressiona clicar clica falar fala dizer anunciar anuncia
		transmitir transmite contratar contrata demitir entrar entra sair sai inscrever inscreve irrigar aquecer esfriar dirigir
		estacionar fotografar enfileirar enfileira faturar encomendar encomenda atender atende despachar despacha
		prover provisionar expulsar expulsa ejetar ejeta `,
}
